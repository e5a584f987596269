#include "sinks/alert_json.hpp"

#include "base/encoding/utf8.hpp"
#include "sinks/record_text.hpp"

namespace postrider::sinks {
namespace {

constexpr std::size_t text_bytes_max = 8192;

void add_text(json_object& to, std::string_view name, const std::optional<std::string>& value) {
    if (value) {
        to.add(name, repaired_utf8(*value, text_bytes_max));
    } else {
        to.add_raw(name, "null");
    }
}

void add_number(json_object& to, std::string_view name, std::optional<int> value) {
    to.add_raw(name, value ? std::to_string(*value) : "null");
}

}  // namespace

void add_alert(json_object& to, const alert& record) {
    to.add("alert_id", record.id).add("kind", record.kind).add("at", instant_text(record.at));
    add_text(to, "event_id", record.event_id);
    add_text(to, "event_type", record.event_type);
    add_text(to, "source", record.source);
    add_text(to, "target", record.target);
    add_text(to, "handler_name", record.handler_name);
    add_text(to, "last_error", record.last_error);
    add_number(to, "attempts", record.attempts);
    add_text(to, "consumer", record.consumer);
    add_text(to, "channel", record.channel);
    add_number(to, "cycle", record.cycle);
    add_text(to, "fingerprint", record.fingerprint);
    add_text(to, "error_class", record.error_class);
}

alert_answer as_alert_answer(const http_answer& answer) {
    return {.sent = answer.ok(),
            .problem = answer.problem,
            .target_down = answer.worth_retrying(),
            .retry_after = answer.retry_after};
}

}  // namespace postrider::sinks
