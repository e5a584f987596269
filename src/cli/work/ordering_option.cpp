#include "cli/work/ordering_option.hpp"

#include "cli/output/times.hpp"

namespace postrider::cli {

std::optional<ordering_policy> parse_ordering(const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    if (text == "none") {
        return ordering_policy::none();
    }
    if (text == "hold") {
        return ordering_policy::hold();
    }
    return text == "skip" ? ordering_policy::skip()
                          : ordering_policy::hold_for(parse_duration(text, "--ordering"));
}

}  // namespace postrider::cli
