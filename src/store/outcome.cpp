#include "store/outcome.hpp"

#include <postrider/error.hpp>

#include "base/json.hpp"

namespace postrider::store {

std::string_view to_string(outcome how) {
    switch (how) {
        case outcome::delivered:
            return "delivered";
        case outcome::transient:
            return "transient";
        case outcome::terminal:
            return "terminal";
        case outcome::crashed:
            return "crashed";
        case outcome::snooze:
            return "snooze";
        case outcome::interrupted:
            break;
    }
    return "interrupted";
}

settlement settlement_from(std::string_view text) {
    if (text == "settled") {
        return settlement::settled;
    }
    if (text == "open") {
        return settlement::open;
    }
    if (text == "lost_lease") {
        return settlement::lost_lease;
    }
    throw error(errc::schema_newer, "unknown settlement '" + std::string(text) + "'");
}

std::string failures_json(std::span<const failure> failures) {
    json_array all;
    for (const auto& item : failures) {
        json_object one;
        one.add("seq", item.seq)
            .add("handler", item.handler)
            .add("outcome", to_string(item.how))
            .add("error", item.error)
            .add("error_class", item.error_class);
        if (item.delay) {
            one.add("delay_ms", item.delay->count());
        }
        all.add_raw(one.text());
    }
    return all.text();
}

}  // namespace postrider::store
