#include "client/outgoing.hpp"

#include <chrono>
#include <exception>

#include "client/trace.hpp"
#include "store/encode.hpp"

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

// The trace of the handler that is running continues in what it publishes.
std::optional<std::string_view> trace_of(const message& what) {
    const auto* current = what.trace_context ? nullptr : current_traceparent();
    if (current != nullptr && !current->empty()) {
        return *current;
    }
    return view_of(what.trace_context);
}

}  // namespace

std::string_view outgoing::channel_of(const message& what) {
    if (!what.channel.empty()) {
        return what.channel;
    }
    if (!what.generation) {
        return "outbox_default";
    }
    return channels_.emplace_back("outbox_gen_" + std::to_string(*what.generation));
}

uuid outgoing::id_for(const message& what) {
    return what.id.empty() ? uuid::time_ordered() : uuid::parse(what.id);
}

void outgoing::add(const message& what, const uuid& id) {
    ids_.push_back(id);
    rows_.push_back({
        .event_type = what.event_type,
        .payload = what.payload,
        .source = what.source,
        .target = view_of(what.target),
        .channel = channel_of(what),
        .id = id,
        .event_version = what.event_version,
        .occurred_at = what.occurred_at,
        .workspace_id =
            what.workspace_id ? std::optional(uuid::parse(*what.workspace_id)) : std::nullopt,
        .idempotency_key = view_of(what.idempotency_key),
        .ordering_key = view_of(what.ordering_key),
        .partition_key = view_of(what.partition_key),
        .headers = view_of(what.headers),
        .metadata = view_of(what.metadata),
        .trace_context = trace_of(what),
        .content_class = view_of(what.content_class),
        .generation = what.generation,
        .available_at = what.available_at,
        .priority = what.priority,
        .max_attempts = what.max_attempts,
    });
}

void outgoing::clear() {
    rows_.clear();
    ids_.clear();
    channels_.clear();
}

// Text has no type of its own, so that any driver can send it: the function's parameters have.
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
                      .event_id = id,
                      .event_type = row.event_type,
                      .source = row.source,
                      .target = row.target,
                      .workspace_id = view_of(workspace_id),
                      .channel = row.channel,
                      .trace = trace ? &*trace : nullptr});
    } catch (const std::exception&) {
        // The message is published, whoever could not be told.
    } catch (...) {
    }
}

}  // namespace postrider::client
