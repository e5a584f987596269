#include "store/messages/publish.hpp"

#include "base/json/json.hpp"
#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

std::string new_message_json(const new_message& message) {
    json_object item;
    item.add("event_type", message.event_type)
        .add_raw("payload", message.payload)
        .add("source", message.source)
        .add("target", message.target)
        .add("channel", message.channel)
        .add("event_version", message.event_version)
        .add("idempotency_key", message.idempotency_key)
        .add("ordering_key", message.ordering_key)
        .add("partition_key", message.partition_key)
        .add("trace_context", message.trace_context)
        .add("content_class", message.content_class)
        .add("generation", message.generation)
        .add("priority", message.priority)
        .add("max_attempts", message.max_attempts);
    if (message.id) {
        item.add("id", message.id->text());
    }
    if (message.workspace_id) {
        item.add("workspace_id", message.workspace_id->text());
    }
    if (message.occurred_at) {
        item.add("occurred_at", timestamp_text(*message.occurred_at));
    }
    if (message.available_at) {
        item.add("available_at", timestamp_text(*message.available_at));
    }
    if (message.headers) {
        item.add_raw("headers", *message.headers);
    }
    if (message.metadata) {
        item.add_raw("metadata", *message.metadata);
    }
    return item.text();
}

}  // namespace

uuid publish(pg::connection& session, const new_message& message) {
    pg::params values(message.event_type, message.payload, message.source, message.target,
                      message.channel);
    add(values, message.id);
    values.add(message.event_version);
    add(values, message.occurred_at);
    add(values, message.workspace_id);
    values.add(message.idempotency_key)
        .add(message.ordering_key)
        .add(message.partition_key)
        .add(message.headers)
        .add(message.metadata)
        .add(message.trace_context)
        .add(message.content_class)
        .add(message.generation);
    add(values, message.available_at);
    values.add(message.priority).add(message.max_attempts);
    const auto published = session.exec_params(
        "select postrider.publish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,"
        " $16, $17, $18, $19, $20)",
        values, pg::format::binary);
    return uuid::from_bytes(published.text(0, 0));
}

std::string messages_json(std::span<const new_message> messages) {
    json_array all;
    for (const auto& message : messages) {
        all.add_raw(new_message_json(message));
    }
    return all.text();
}

int publish_many(pg::connection& session, std::span<const new_message> messages) {
    return session
        .exec_params("select postrider.publish_many($1)", pg::params(messages_json(messages)))
        .get<int>(0, 0);
}

}  // namespace postrider::store
