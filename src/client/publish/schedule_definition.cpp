#include "client/publish/schedule_definition.hpp"

#include <postrider/error.hpp>

#include "base/encoding/utf8.hpp"
#include "base/json/json.hpp"
#include "client/publish/check_message.hpp"
#include "client/publish/outgoing.hpp"
#include "store/messages/publish.hpp"

namespace postrider::client {
namespace {

std::string_view text_of(overlap_policy policy) {
    switch (policy) {
        case overlap_policy::allow:
            return "allow";
        case overlap_policy::skip:
            return "skip";
        case overlap_policy::queue_one:
            break;
    }
    return "queue_one";
}

void require_no_slot_fields(const schedule& of) {
    const auto& message = of.message;
    if (!message.id.empty() || message.occurred_at || message.available_at ||
        message.idempotency_key) {
        throw usage_error("schedule " + of.name +
                          ": id, occurred_at, available_at and idempotency_key of the message "
                          "follow from the slot and cannot be given");
    }
}

// A member of an array, because publish_many() takes one.
std::string message_json(const message& input) {
    outgoing one;
    one.add(input);
    auto row = one[0];
    row.id.reset();
    const auto array = store::messages_json({&row, 1});
    return array.substr(1, array.size() - 2);
}

}  // namespace

std::string schedule_definition(const schedule& of) {
    for (const auto* text : {&of.name, &of.cron, &of.time_zone}) {
        if (usable_utf8(*text) != text->size()) {
            throw usage_error(
                "name, cron and time_zone of a schedule must be UTF-8 without zero "
                "bytes");
        }
    }
    require_no_slot_fields(of);
    check_message(of.message, "schedule " + of.name);
    return json_object()
        .add("cron", of.cron)
        .add_raw("message", message_json(of.message))
        .add("time_zone", of.time_zone)
        .add("overlap", text_of(of.overlap))
        .add("catch_up", std::to_string(of.catch_up.count()) + " seconds")
        .add("jitter", std::to_string(of.jitter.count()) + " milliseconds")
        .text();
}

overlap_policy overlap_from(std::string_view text) {
    for (const auto policy :
         {overlap_policy::allow, overlap_policy::skip, overlap_policy::queue_one}) {
        if (text == text_of(policy)) {
            return policy;
        }
    }
    throw usage_error("overlap must be allow, skip or queue_one, got '" + std::string(text) + "'");
}

}  // namespace postrider::client
