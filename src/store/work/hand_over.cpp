#include "store/work/hand_over.hpp"

#include "base/json/json.hpp"
#include "base/json/json_members.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

std::string message_json(const handed_over& one) {
    const auto& message = *one.message;
    json_object made;
    made.add("id", message.id)
        .add("cycle", message.cycle)
        .add("event_type", message.event_type)
        .add("event_version", message.event_version)
        .add("occurred_at", timestamp_text(message.occurred_at))
        .add("published_at", timestamp_text(message.published_at))
        .add("source", message.source)
        .add_raw("payload", message.payload)
        .add("workspace_id", message.workspace_id)
        .add("idempotency_key", message.idempotency_key)
        .add("ordering_key", message.ordering_key)
        .add("partition_key", message.partition_key)
        .add("trace_context", message.trace_context);
    if (message.headers) {
        made.add_raw("headers", *message.headers);
    }
    if (message.metadata) {
        made.add_raw("metadata", *message.metadata);
    }
    return made.text();
}

std::string failures_json(std::span<const handed_over> messages) {
    json_array all;
    for (const auto& one : messages) {
        json_object made;
        made.add_raw("message", message_json(one)).add("handler", one.how->handler);
        all.add_raw(with_outcome(std::move(made), *one.how));
    }
    return all.text();
}

std::string names_json(std::span<const std::string> names) {
    json_array all;
    for (const auto& name : names) {
        all.add(name);
    }
    return all.text();
}

intake read_intake(const pg::result& answer) {
    intake made;
    made.paused = answer.get<bool>(0, 0);
    for (const auto& name : json_items(answer.text(0, 1))) {
        made.held.push_back(json_unquoted(name));
    }
    made.probe = answer.get<bool>(0, 2);
    return made;
}

}  // namespace

intake hand_over_many(pg::connection& session, const uuid& worker,
                      std::span<const handed_over> messages,
                      std::span<const std::string> succeeded) {
    pg::params values;
    add(values, worker);
    values.add(failures_json(messages)).add(names_json(succeeded));
    return read_intake(session.exec_params(
        "select paused, to_json(held), probe from postrider.hand_over_many($1, $2,"
        " array(select jsonb_array_elements_text($3::jsonb)))",
        values));
}

intake intake_of(pg::connection& session, const uuid& worker) {
    pg::params values;
    add(values, worker);
    return read_intake(session.exec_params(
        "select paused, to_json(held), probe from postrider.intake($1)", values));
}

}  // namespace postrider::store
