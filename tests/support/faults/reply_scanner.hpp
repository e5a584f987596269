#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postrider::test {

/// Parses the replies of a PostgreSQL server and finds the end of a command by its tag.
class reply_scanner {
  public:
    /// Whether a reply whose tag begins like this ("COMMIT", "INSERT") ends within `part`. Every
    /// part must be shown, in order.
    bool find(std::string_view part, std::string_view tag);

  private:
    bool take(char byte);

    std::string header_;  // type and length of the message that is being read
    std::string body_;    // only of ends of commands
    std::size_t left_ = 0;
};

}  // namespace postrider::test
