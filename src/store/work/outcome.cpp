#include "store/work/outcome.hpp"

#include <postrider/error.hpp>
#include <utility>

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

std::string milliseconds_text(std::chrono::microseconds duration) {
    constexpr int thousand = 1000;
    const auto digits = std::to_string(thousand + duration.count() % thousand);
    return std::to_string(duration.count() / thousand) + "." + digits.substr(1);
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

namespace {

std::string earlier_json(std::span<const earlier_run> runs) {
    json_array all;
    for (const auto& run : runs) {
        json_object one;
        one.add("error", run.error).add("error_class", run.error_class);
        one.add_raw("duration_ms", milliseconds_text(run.duration));
        one.add_raw("ago_ms", milliseconds_text(run.ago));
        all.add_raw(one.text());
    }
    return all.text();
}

}  // namespace

std::string failures_json(std::span<const failure> failures) {
    json_array all;
    for (const auto& item : failures) {
        json_object one;
        one.add("seq", item.seq).add("handler", item.handler);
        if (!item.earlier.empty()) {
            one.add_raw("earlier", earlier_json(item.earlier));
        }
        all.add_raw(with_outcome(std::move(one), item));
    }
    return all.text();
}

}  // namespace postrider::store
