// relay_latency: from just before COMMIT is sent to a subscriber of JetStream behind a relay, at
// 200 messages a second.
#include <nats/nats.h>

#include <charconv>

#include "bench/brokers/bare_broker.hpp"
#include "bench/brokers/brokers.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"
#include "relay/nats/nats_connection.hpp"

namespace postrider::bench {
namespace {

using relaying::require_ok;
using instant = std::chrono::steady_clock::time_point;

constexpr const char* stream_name = "latency";

/// A push consumer of JetStream. An event's version is its number.
class stream_subscriber {
  public:
    stream_subscriber(const std::string& url, std::size_t expected)
        : received_(expected),
          left_(static_cast<long long>(expected)),
          connection_(relaying::connect(relaying::nats_settings_of(relaying::parse_relay_url(url),
                                                                   "", std::chrono::seconds(5)))) {
        require_ok(natsConnection_JetStream(&context_, connection_.get(), nullptr));
        jsSubOptions how;
        require_ok(jsSubOptions_Init(&how));
        how.ManualAck = true;
        how.Config.AckPolicy = js_AckNone;
        natsSubscription* raw = nullptr;
        require_ok(
            js_Subscribe(&raw, context_, stream_name, on_message, this, nullptr, &how, nullptr));
        subscription_.reset(raw);
    }
    stream_subscriber(const stream_subscriber&) = delete;
    stream_subscriber& operator=(const stream_subscriber&) = delete;
    ~stream_subscriber() {
        subscription_.reset();
        connection_.reset();
        jsCtx_Destroy(context_);
    }

    const std::vector<instant>& wait() {
        left_.wait();
        return received_;
    }

  private:
    static void on_message(natsConnection*, natsSubscription*, natsMsg* raw, void* self) {
        const auto now = std::chrono::steady_clock::now();
        const relaying::nats_message message(raw);
        const char* version = nullptr;
        if (natsMsgHeader_Get(raw, "ce-eventversion", &version) == NATS_OK) {
            auto& to = *static_cast<stream_subscriber*>(self);
            std::size_t index = to.received_.size();
            std::from_chars(version, version + std::char_traits<char>::length(version), index);
            if (index < to.received_.size()) {
                to.received_[index] = now;
                to.left_.step();
            }
        }
    }

    std::vector<instant> received_;
    countdown left_;
    relaying::nats_connection connection_;
    jsCtx* context_ = nullptr;
    relaying::nats_subscription subscription_;
};

}  // namespace

void relay_latency(const lab& where, report& results) {
    const auto count = where.tiny() ? std::size_t{100} : where.size<std::size_t>(4000, 1000);
    const auto broker = start_nats(where);
    broker->make_stream(stream_name);
    const auto to = broker->relay_to(stream_name);
    const fresh_database database(where);
    stream_subscriber subscriber(to.to, count);
    worker relaying_worker(
        {.database = database.conninfo(), .consumer = "bench", .concurrency = 4});
    relay(relaying_worker, "*", "bench.all", to);
    relaying_worker.start();
    const progress shown("publish to subscriber at 200 messages a second", 1);
    auto session = database.connect();
    const auto sent = publish_steadily(session, count);
    const auto& received = subscriber.wait();
    std::vector<double> latencies;
    for (std::size_t i = 0; i < count; ++i) {
        latencies.push_back(seconds(received[i] - sent[i].commit_sent).count() * 1000);
    }
    results.add("relay_latency_p50_ms", quantile(latencies, 0.5));
    results.add("relay_latency_p99_ms", quantile(latencies, 0.99));
    relaying_worker.request_stop();
    relaying_worker.wait();
}

}  // namespace postrider::bench
