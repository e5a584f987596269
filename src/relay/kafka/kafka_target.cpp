#include <algorithm>
#include <array>
#include <postrider/error.hpp>

#include "relay/kafka/kafka_producer.hpp"

namespace postrider::relaying {
namespace {

constexpr std::size_t topic_bytes_max = 249;
constexpr std::size_t envelope_bytes_max = 65'536;

outcome outcome_of(const kafka_slot& slot) {
    const std::string text = rd_kafka_err2str(slot.error);
    switch (slot.error) {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            return delivered();
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
        case RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE:
            return terminal("Kafka refuses the message: " + text, "relay_too_large");
        case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
            return transient("Kafka does not have the topic", "relay_no_topic");
        case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
        case RD_KAFKA_RESP_ERR__TIMED_OUT:
        case RD_KAFKA_RESP_ERR__TRANSPORT:
        case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
        case RD_KAFKA_RESP_ERR__FATAL:
        case RD_KAFKA_RESP_ERR__PURGE_QUEUE:
        case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT:
        case RD_KAFKA_RESP_ERR__QUEUE_FULL:
        // Of the producer's session, not of the message.
        case RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER:
        case RD_KAFKA_RESP_ERR_UNKNOWN_PRODUCER_ID:
        case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
        case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
        case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
        case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
            return unavailable("Kafka did not acknowledge: " + text);
        default:
            return transient("Kafka refuses the message: " + text,
                             std::string("kafka:") + rd_kafka_err2name(slot.error));
    }
}

class kafka_publisher final : public publisher {
  public:
    kafka_publisher(const kafka_settings& how, std::chrono::milliseconds timeout)
        : settings_(how), timeout_(timeout) {}

    std::vector<outcome> publish(std::span<const outgoing> all, std::stop_token stop) override {
        if (!producer_) {
            producer_ = std::make_unique<kafka_producer>(settings_);
        }
        std::vector<kafka_slot> slots(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            producer_->produce(all[i], slots[i]);
        }
        wait_for(slots, stop);
        // A fatal producer refuses everything. Its messages may have been stored: they are sent
        // again with the same id, by a producer that Kafka does not recognise.
        const bool complete = std::ranges::all_of(slots, &kafka_slot::reported);
        if (!complete || producer_->fatal()) {
            producer_.reset();
        }
        std::vector<outcome> outcomes;
        for (const auto& one : slots) {
            outcomes.push_back(one.reported            ? outcome_of(one)
                               : stop.stop_requested() ? stopped()
                                                       : unavailable("Kafka did not acknowledge"));
        }
        return outcomes;
    }

  private:
    void wait_for(const std::vector<kafka_slot>& slots, const std::stop_token& stop) {
        constexpr auto between_looks = std::chrono::milliseconds(50);
        // librdkafka reports its own timeout first.
        const auto deadline = std::chrono::steady_clock::now() + timeout_ + std::chrono::seconds(2);
        while (!std::ranges::all_of(slots, &kafka_slot::reported) && !stop.stop_requested() &&
               std::chrono::steady_clock::now() < deadline) {
            producer_->flush(between_looks);
        }
    }

    const kafka_settings& settings_;
    const std::chrono::milliseconds timeout_;
    std::unique_ptr<kafka_producer> producer_;
};

class kafka_broker final : public target {
  public:
    kafka_broker(kafka_settings how, std::chrono::milliseconds timeout, destination place)
        : settings_(std::move(how)), timeout_(timeout), place_(std::move(place)) {
        const kafka_producer checked(settings_);
    }

    binding headers() const override { return binding::kafka; }
    int batch_max() const override { return 500; }
    const destination& place() const override { return place_; }
    std::optional<std::string> problem_of(const std::string& topic) const override {
        const bool valid = !topic.empty() && topic.size() <= topic_bytes_max && topic != "." &&
                           topic != ".." && std::ranges::all_of(topic, [](unsigned char c) {
                               return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
                           });
        return valid ? std::nullopt
                     : std::optional("Kafka has no topic named '" + topic +
                                     "': at most 249 letters, digits, '.', '_' and '-'");
    }
    std::unique_ptr<publisher> open() const override {
        return std::make_unique<kafka_publisher>(settings_, timeout_);
    }

  private:
    const kafka_settings settings_;
    const std::chrono::milliseconds timeout_;
    const destination place_;
};

kafka_settings settings_of(const relay_url& to, const relay_options& options) {
    auto made = kafka_server_of(to);
    // After the query, which may not change them.
    made.insert(made.end(),
                {{"enable.idempotence", "true"},
                 {"acks", "all"},
                 {"message.timeout.ms", std::to_string(options.timeout.count())},
                 // Before the message times out, which would look like an outage.
                 {"topic.metadata.propagation.max.ms", std::to_string(options.timeout.count() / 2)},
                 {"message.max.bytes", std::to_string(options.bytes_max + envelope_bytes_max)}});
    return made;
}

}  // namespace

std::unique_ptr<target> kafka_target(const relay_url& to, const relay_options& options) {
    if (options.destination.empty()) {
        throw usage_error("a relay to Kafka needs a topic, for example orders.{event_type}");
    }
    return std::make_unique<kafka_broker>(
        settings_of(to, options), options.timeout,
        destination(options.destination, destination::encoding::plain));
}

}  // namespace postrider::relaying
