#include "bench/brokers/prepared_messages.hpp"

#include "base/encoding/uuid.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {

prepared_messages::prepared_messages(int count, const std::string& destination,
                                     relaying::binding headers) {
    // Events point to payloads, and messages to events.
    const auto size = static_cast<std::size_t>(count);
    payloads_.reserve(size);
    events_.reserve(size);
    outgoing_.reserve(size);
    for (int i = 0; i < count; ++i) {
        event_fields made;
        made.id = uuid::random().bytes;
        made.event_type = usual_envelope.event_type;
        made.source = usual_envelope.source;
        made.occurred_at = std::chrono::system_clock::now();
        made.payload = payloads_.emplace_back(payload(i));
        const auto& event = events_.emplace_back(made);
        outgoing_.push_back({&event, destination, relaying::dedupe_id(event),
                             relaying::cloud_event_headers(event, headers)});
    }
}

}  // namespace postrider::bench
