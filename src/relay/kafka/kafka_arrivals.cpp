// Records as they arrive, and partitions from which none arrives.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "relay/kafka/kafka_group.hpp"
#include "relay/kafka/kafka_offsets.hpp"
#include "relay/sources.hpp"

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;

constexpr const char* over_limit = "more than 64 MB";
// RD_KAFKA_RESP_ERR__LOG_TRUNCATION, which old versions do not have.
constexpr int log_truncation = -139;
// Also while records arrive that are not taken.
constexpr auto longest_poll = std::chrono::seconds(1);

}  // namespace

void kafka_group::poll(int limit, milliseconds wait) {
    auto until = clock::now() + wait;
    const auto latest = until + longest_poll;
    const auto room = static_cast<std::size_t>(limit);
    auto bytes = std::accumulate(
        arrived_.begin(), arrived_.end(), std::size_t{0},
        [](std::size_t sum, const record& one) { return sum + bytes_of(*one.message); });
    // At least once, also without room: librdkafka answers a rebalance within a poll.
    do {
        const auto left = std::chrono::ceil<milliseconds>(until - clock::now());
        kafka_message next(rd_kafka_consumer_poll(
            consumer_.get(), static_cast<int>(std::max(left, milliseconds(0)).count())));
        if (!next) {
            watch();
            return;
        }
        bytes += bytes_of(*next);
        if (next->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
            until = {};
        }
        take(std::move(next));
    } while (arrived_.size() < room && bytes < message_bytes_max && clock::now() < latest);
}

void kafka_group::take(kafka_message message) {
    const auto found = partitions_.find(message->partition);
    const bool ours = found != partitions_.end() && !found->second.unreadable;
    if (ours) {
        found->second.silence.broken();
        stuck_.erase(message->partition);
    }
    switch (static_cast<int>(message->err)) {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            break;
        case RD_KAFKA_RESP_ERR__PARTITION_EOF:
            // Behind the batch there may be only records that no client gets, for example of an
            // aborted transaction.
            if (ours && found->second.search) {
                searches(*message, found->second);
            } else if (ours) {
                found->second.silence.reached(known_end(message->partition));
            }
            return;
        case RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED:  // the next call joins the group again
            return;
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
        case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
            throw std::runtime_error("there is no topic " + settings_.topic);
        case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
        case log_truncation:
            if (ours) {
                find_place(message->partition, found->second);
            }
            return;
        case RD_KAFKA_RESP_ERR__BAD_COMPRESSION:
            if (message->offset >= 0) {
                if (ours) {
                    searches(*message, found->second);
                }
                return;
            }
            [[fallthrough]];
        default:
            throw std::runtime_error(rd_kafka_err2str(message->err));
    }
    if (ours && !searches(*message, found->second) && !has_false_offset(*message, found->second)) {
        add(std::move(message), found->second);
    }
}

void kafka_group::add(kafka_message message, partition& owned) {
    if (!owned.progress.continues(message->offset)) {
        return;  // it has arrived before
    }
    const kafka_position at{message->partition, message->offset, owned.epoch};
    const auto how = owned.progress.arrived(at.offset);
    if (how == partition_progress::arrival::finished) {
        return;
    }
    if (bytes_of(*message) > message_bytes_max) {
        owned.progress.finish(at.offset);
        passed_.add(at.partition, at.offset, at.offset, over_limit);
        return;
    }
    arrived_.push_back({std::move(message), at, how == partition_progress::arrival::repeated});
}

// After a poll that returned nothing: librdkafka has no record for this member.
void kafka_group::watch() {
    const auto now = clock::now();
    for (auto& [number, owned] : partitions_) {
        if (held_back_ || owned.unreadable) {
            owned.silence.broken();
        } else if (const auto end = known_end(number);
                   end > owned.progress.next() &&
                   owned.silence.lasts(end, now, settings_.silence_max)) {
            tell_of(number, owned, "an open transaction, or a record that cannot be read");
        }
    }
}

void kafka_group::tell_of(std::int32_t number, const partition& owned, const char* why) {
    const auto at = owned.search ? owned.search->probe() : owned.progress.next();
    stuck_[number] = "partition " + std::to_string(number) + " from offset " +
                     std::to_string(std::max(at, std::int64_t{0})) + " (" + why + ")";
    stuck_added_ = true;
}

std::int64_t kafka_group::known_end(std::int32_t number) const {
    std::int64_t first = 0;
    std::int64_t end = 0;
    const auto unknown = rd_kafka_get_watermark_offsets(consumer_.get(), settings_.topic.c_str(),
                                                        number, &first, &end);
    return unknown == RD_KAFKA_RESP_ERR_NO_ERROR ? end : -1;
}

}  // namespace postrider::relaying
