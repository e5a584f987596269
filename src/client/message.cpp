#include <postrider/message.hpp>

#include "base/uuid.hpp"

namespace postrider {

std::string new_id() { return uuid::time_ordered().text(); }

}  // namespace postrider
