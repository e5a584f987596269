#include <postrider/executor.hpp>

namespace postrider {

executor::~executor() = default;

}  // namespace postrider
