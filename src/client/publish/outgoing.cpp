#include "client/publish/outgoing.hpp"

#include <chrono>
#include <exception>

#include "client/trace.hpp"
#include "store/messages/encode.hpp"

namespace postrider::client {
namespace {

using parameter = std::optional<std::string>;

parameter text_of(const std::optional<std::string_view>& value) {
    return value ? parameter(*value) : std::nullopt;
}
parameter text_of(const std::optional<uuid>& value) {
    return value ? parameter(value->text()) : std::nullopt;
}
parameter text_of(const std::optional<store::instant>& value) {
    return value ? parameter(store::timestamp_text(*value)) : std::nullopt;
}
template <std::integral Number>
parameter text_of(const std::optional<Number>& value) {
    return value ? parameter(std::to_string(*value)) : std::nullopt;
}

std::optional<std::string_view> view_of(const std::optional<std::string>& text) {
    return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

// Messages that a running handler publishes continue its trace.
std::optional<std::string_view> trace_of(const message& input) {
    const auto* current = input.trace_context ? nullptr : current_traceparent();
    if (current != nullptr && !current->empty()) {
        return *current;
    }
    return view_of(input.trace_context);
}

}  // namespace

std::string_view outgoing::channel_of(const message& input) {
    if (!input.channel.empty()) {
        return input.channel;
    }
    if (!input.generation) {
        return "outbox_default";
    }
    return channels_.emplace_back("outbox_gen_" + std::to_string(*input.generation));
}

uuid outgoing::id_for(const message& input) {
    return input.id.empty() ? uuid::time_ordered() : uuid::parse(input.id);
}

void outgoing::add(const message& input, const uuid& id) {
    ids_.push_back(id);
    rows_.push_back({
        .event_type = input.event_type,
        .payload = input.payload,
        .source = input.source,
        .target = view_of(input.target),
        .channel = channel_of(input),
        .id = id,
        .event_version = input.event_version,
        .occurred_at = input.occurred_at,
        .workspace_id =
            input.workspace_id ? std::optional(uuid::parse(*input.workspace_id)) : std::nullopt,
        .idempotency_key = view_of(input.idempotency_key),
        .ordering_key = view_of(input.ordering_key),
        .partition_key = view_of(input.partition_key),
        .headers = view_of(input.headers),
        .metadata = view_of(input.metadata),
        .trace_context = trace_of(input),
        .content_class = view_of(input.content_class),
        .generation = input.generation,
        .available_at = input.available_at,
        .priority = input.priority,
        .max_attempts = input.max_attempts,
    });
}

void outgoing::clear() {
    rows_.clear();
    ids_.clear();
    channels_.clear();
}

// Parameters are untyped text, which any driver can send; the types come from the function's
// parameters.
const char* const publish_statement =
    "select postrider.publish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,"
    " $16, $17, $18, $19, $20)";

std::vector<parameter> publish_parameters(const store::new_message& row) {
    return {std::string(row.event_type),
            std::string(row.payload),
            std::string(row.source),
            text_of(row.target),
            std::string(row.channel),
            text_of(row.id),
            std::to_string(row.event_version),
            text_of(row.occurred_at),
            text_of(row.workspace_id),
            text_of(row.idempotency_key),
            text_of(row.ordering_key),
            text_of(row.partition_key),
            text_of(row.headers),
            text_of(row.metadata),
            text_of(row.trace_context),
            text_of(row.content_class),
            text_of(row.generation),
            text_of(row.available_at),
            std::to_string(row.priority),
            text_of(row.max_attempts)};
}

void report_published(sink& to, const store::new_message& row) noexcept {
    try {
        const auto id = row.id ? row.id->text() : std::string();
        const auto workspace_id = text_of(row.workspace_id);
        const auto trace = row.trace_context ? continue_trace(*row.trace_context) : std::nullopt;
        to.published({.at = std::chrono::system_clock::now(),
                      .message_id = id,
                      .event_type = row.event_type,
                      .source = row.source,
                      .target = row.target,
                      .workspace_id = view_of(workspace_id),
                      .channel = row.channel,
                      .trace = trace ? &*trace : nullptr});
    } catch (const std::exception&) {
        // The message is published, even if the sink fails.
    } catch (...) {
    }
}

}  // namespace postrider::client
