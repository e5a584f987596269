#include <postrider/outcome.hpp>

namespace postrider {

terminal_error::~terminal_error() = default;
payload_error::~payload_error() = default;

outcome_error::outcome_error(outcome how)
    : std::runtime_error(how.error.empty() ? std::string(to_string(how.kind)) : how.error),
      how_(std::move(how)) {}
outcome_error::~outcome_error() = default;

std::string_view to_string(outcome_kind kind) noexcept {
    switch (kind) {
        case outcome_kind::delivered:
            return "delivered";
        case outcome_kind::transient:
            return "transient";
        case outcome_kind::terminal:
            return "terminal";
        case outcome_kind::snooze:
            return "snooze";
        case outcome_kind::interrupted:
            break;
    }
    return "interrupted";
}

}  // namespace postrider
