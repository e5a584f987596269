#include "client/owned_events.hpp"

#include "client/publish/check_message.hpp"
#include "client/publish/outgoing.hpp"
#include "client/trace.hpp"

namespace postrider::client {
namespace {

event_fields fields_of(const store::new_message& row, const uuid& id, store::instant now) {
    return {
        .id = id.bytes,
        .event_type = row.event_type,
        .event_version = row.event_version,
        .occurred_at = row.occurred_at.value_or(now),
        .source = row.source,
        .target = row.target,
        .workspace_id = row.workspace_id ? std::optional(row.workspace_id->bytes) : std::nullopt,
        .payload = row.payload,
        .headers = row.headers,
        .idempotency_key = row.idempotency_key,
        .ordering_key = row.ordering_key,
        .partition_key = row.partition_key,
        .trace_context = row.trace_context,
        .content_class = row.content_class,
        .generation = row.generation};
}

}  // namespace

struct owned_events::state {
    std::vector<message> texts;
    std::vector<event> events;
};

owned_events::owned_events(std::vector<message> published) : state_(std::make_unique<state>()) {
    state_->texts = std::move(published);
    const auto now = std::chrono::system_clock::now();
    outgoing rows;
    for (auto& one : state_->texts) {
        if (const auto* running = current_traceparent(); running != nullptr && !one.trace_context) {
            one.trace_context = *running;  // whose text may end before this one
        }
        check_message(one, "publish");
        rows.add(one);
        state_->events.emplace_back(fields_of(rows.rows().back(), rows.ids().back(), now));
    }
}

owned_events::owned_events(owned_events&&) noexcept = default;
owned_events& owned_events::operator=(owned_events&&) noexcept = default;
owned_events::~owned_events() = default;

std::span<const event> owned_events::all() const { return state_->events; }

}  // namespace postrider::client
