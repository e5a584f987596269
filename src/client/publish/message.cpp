#include <postrider/message.hpp>

#include "base/encoding/uuid.hpp"

namespace postrider {

std::string new_id() { return uuid::time_ordered().text(); }

}  // namespace postrider
