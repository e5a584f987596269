#include <algorithm>
#include <charconv>
#include <optional>
#include <postrider/error.hpp>
#include <utility>

#include "client/received_event.hpp"
#include "relay/kafka/kafka_group.hpp"
#include "relay/kafka/kafka_leaving.hpp"
#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;

// Brokers refuse a shorter one by default.
constexpr auto session_timeout_min = std::chrono::seconds(6);
// A member that makes no calls leaves its group after this. A worker calls several times a second,
// after a failure within 30 s.
constexpr auto unused_max = std::chrono::minutes(1);
constexpr const char* response_bytes = "16384";
constexpr auto between_looks_for_lost = std::chrono::seconds(1);

std::string receipt_of(const kafka_position& at) {
    return std::to_string(at.partition) + "/" + std::to_string(at.offset) + "/" +
           std::to_string(at.epoch);
}

kafka_position position_in(std::string_view receipt) {
    kafka_position made;
    const auto* at = receipt.data();
    const auto* end = at + receipt.size();
    const auto skip = [&](const char* to) { return to < end ? to + 1 : to; };
    at = skip(std::from_chars(at, end, made.partition).ptr);
    at = skip(std::from_chars(at, end, made.offset).ptr);
    std::from_chars(at, end, made.epoch);
    return made;
}

/// Kafka hands out a record once to a member. Records that the worker gave back, or does not keep
/// alive, are handed out again here.
class kafka_topic final : public source {
  public:
    kafka_topic(kafka_group::settings how, milliseconds redeliver_after)
        : settings_(std::move(how)), redeliver_after_(redeliver_after) {
        configure_kafka(settings_.server);  // refuses properties before the first fetch
    }
    kafka_topic(const kafka_topic&) = delete;
    kafka_topic& operator=(const kafka_topic&) = delete;
    ~kafka_topic() override {
        try {
            leave();
        } catch (const std::exception&) {
            // The group finds out after its session timeout.
        }
    }

    std::vector<received_message> fetch(int limit, milliseconds wait) override {
        std::vector<received_message> all;
        if (limit == 0 && !group_) {
            return all;  // a worker that stops does not join
        }
        guarded([&] {
            add_lost(all);
            auto records = group().fetch(limit, all.empty() ? wait : milliseconds(0));
            try {
                for (auto& one : records) {
                    all.push_back(read(one));
                    one.message.reset();
                    held_[all.back().receipt] = {all.back(), clock::now()};
                }
            } catch (...) {
                leave();  // Kafka hands the other records only to another member
                throw;
            }
        });
        return all;
    }
    std::string notice() override {
        keep_notice();
        return std::exchange(notice_, {});
    }
    void acknowledge(std::span<const std::string> receipts) override {
        guarded([&] {
            for (const auto& one : receipts) {
                group().finish(position_in(one));
                held_.erase(one);
            }
        });
    }
    void give_back(std::span<const std::string> receipts) override {
        for (const auto& one : receipts) {
            if (const auto found = held_.find(one); found != held_.end()) {
                found->second.sign_of_life = {};
                next_look_ = {};
            }
        }
    }
    void keep_alive(std::span<const std::string> receipts) override {
        for (const auto& one : receipts) {
            if (const auto found = held_.find(one); found != held_.end()) {
                found->second.sign_of_life = clock::now();
            }
        }
    }
    milliseconds keep_alive_interval() const override { return redeliver_after_ / 3; }
    void close() override { leave(); }

  private:
    using clock = std::chrono::steady_clock;
    struct held_record {
        received_message message;
        clock::time_point sign_of_life;
    };

    kafka_group& group() {
        if (!group_) {
            group_ = std::make_unique<kafka_group>(settings_);
        }
        return *group_;
    }

    void leave() {
        keep_notice();
        if (group_) {
            leave_group(std::move(group_), 2 * settings_.timeout);
        }
        held_.clear();
    }

    void keep_notice() {
        if (auto more = group_ ? group_->notice() : std::string(); !more.empty()) {
            notice_ += (notice_.empty() ? "" : "; ") + more;
        }
    }

    template <typename Call>
    void guarded(Call&& call) {
        try {
            call();
        } catch (const std::exception& problem) {
            if (group_ && group_->fatal()) {
                leave();
            }
            throw std::runtime_error(std::string("Kafka: ") + problem.what());
        }
    }

    void add_lost(std::vector<received_message>& into) {
        const auto now = clock::now();
        if (now < next_look_) {
            return;
        }
        next_look_ = now + between_looks_for_lost;
        std::erase_if(held_,
                      [this](const auto& one) { return !group().holds(position_in(one.first)); });
        for (auto& [receipt, one] : held_) {
            if (now - one.sign_of_life > redeliver_after_) {
                one.sign_of_life = now;
                ++one.message.deliveries;
                into.push_back(one.message);
            }
        }
    }

    received_message read(const kafka_group::record& from) const {
        const auto& message = *from.message;
        received_message made;
        made.receipt = receipt_of(from.at);
        made.deliveries = from.repeated ? 2 : 1;
        const auto time = rd_kafka_message_timestamp(&message, nullptr);
        if (time > 0) {
            made.published_at = client::instant_of(time);
        }
        made.occurred_at = made.published_at;
        made.event_type = settings_.topic;
        made.source = settings_.topic;
        // The time as well: a topic that was made again counts from 0.
        made.id = std::to_string(from.at.partition) + "-" + std::to_string(from.at.offset) + "-" +
                  std::to_string(time);
        made = client::read_event(
            std::move(made),
            [&](const std::string& name) { return header_value_in(message, name); },
            std::string(static_cast<const char*>(message.payload), message.len),
            client::binding::kafka);
        if (message.key_len > 0 && !made.ordering_key && !made.partition_key) {
            made.partition_key.emplace(static_cast<const char*>(message.key), message.key_len);
        }
        return made;
    }

    const kafka_group::settings settings_;
    const milliseconds redeliver_after_;
    std::map<std::string, held_record, std::less<>> held_;  ///< by receipt
    clock::time_point next_look_ = {};
    std::string notice_;  ///< of members that have left
    std::unique_ptr<kafka_group> group_;
};

}  // namespace

std::shared_ptr<source> kafka_source(const relay_url& from, const source_options& options) {
    if (options.stream.starts_with('^')) {
        throw usage_error("a source of Kafka reads one topic; '" + options.stream +
                          "' is a pattern");
    }
    const auto session_timeout =
        std::max<milliseconds>(options.redeliver_after, session_timeout_min);
    auto how = kafka_server_of(from);
    how.insert(how.begin(),
               // librdkafka decompresses all batches of a response at once, without a limit, and
               // zstd can make 30,000 times as much of it. The first batch of a response may be
               // larger. message.max.bytes is the least value of fetch.max.bytes.
               {{"fetch.max.bytes", response_bytes},
                {"fetch.message.max.bytes", response_bytes},
                {"message.max.bytes", response_bytes},
                {"queued.max.messages.kbytes", "16384"},
                // The end of a batch that cannot be decompressed is found by fetches that fail.
                {"fetch.error.backoff.ms", "10"},
                {"session.timeout.ms", std::to_string(session_timeout.count())},
                {"heartbeat.interval.ms", std::to_string(session_timeout.count() / 6)},
                {"max.poll.interval.ms",
                 std::to_string(std::max<milliseconds>(session_timeout, unused_max).count())}});
    // After the query, which may not change them.
    how.insert(how.end(), {{"group.id", options.group},
                           {"enable.auto.commit", "false"},
                           {"enable.auto.offset.store", "false"},
                           // By kafka_group: a false offset must not repeat the partition.
                           {"auto.offset.reset", "error"},
                           {"enable.partition.eof", "true"},
                           // A member keeps its other partitions while one of them moves.
                           {"partition.assignment.strategy", "cooperative-sticky"}});
    return std::make_shared<kafka_topic>(kafka_group::settings{.server = std::move(how),
                                                               .topic = options.stream,
                                                               .group = options.group,
                                                               .timeout = options.timeout},
                                         options.redeliver_after);
}

}  // namespace postrider::relaying
