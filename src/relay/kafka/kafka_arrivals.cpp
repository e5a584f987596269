// Records as they arrive: those that are taken, those that are passed, and the search for the end
// of a batch that cannot be decompressed.
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
constexpr const char* not_inflated = "cannot be decompressed";

}  // namespace

void kafka_group::poll(int limit, milliseconds wait) {
    const auto room = static_cast<std::size_t>(limit);
    auto bytes = std::accumulate(
        arrived_.begin(), arrived_.end(), std::size_t{0},
        [](std::size_t sum, const record& one) { return sum + bytes_of(*one.message); });
    while (arrived_.size() < room && bytes < message_bytes_max) {
        kafka_message next(rd_kafka_consumer_poll(consumer_.get(), static_cast<int>(wait.count())));
        if (!next) {
            return;
        }
        bytes += bytes_of(*next);
        if (next->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
            wait = milliseconds(0);
        }
        take(std::move(next));
    }
}

void kafka_group::take(kafka_message message) {
    const auto found = partitions_.find(message->partition);
    const bool ours = found != partitions_.end();
    switch (message->err) {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            break;
        case RD_KAFKA_RESP_ERR__PARTITION_EOF:
            // Behind the batch there may be only records that no client gets, for example of an
            // aborted transaction.
            if (ours && found->second.search) {
                searches(*message, found->second);
            }
            return;
        case RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED:  // the next call joins the group again
            return;
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
        case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
            throw std::runtime_error("there is no topic " + settings_.topic);
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
    if (ours && !searches(*message, found->second)) {
        add(std::move(message), found->second);
    }
}

void kafka_group::add(kafka_message message, partition& owned) {
    if (!owned.progress.continues(message->offset)) {
        owned = {.epoch = ++epoch_};  // the topic was made again
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

// librdkafka fetches a batch that it cannot inflate again and again, and the records behind it
// would never arrive. It inflates no more than receive.message.max.bytes.
bool kafka_group::searches(const rd_kafka_message_t& message, partition& owned) {
    const bool failed = message.err == RD_KAFKA_RESP_ERR__BAD_COMPRESSION;
    const auto number = message.partition;
    auto& search = owned.search;
    if (!search && !failed) {
        return false;
    }
    if (!search) {
        search.emplace(message.offset, end_of_partition(consumer_.get(), settings_.topic, number,
                                                        settings_.timeout));
    } else if (!failed && message.offset < search->first()) {
        search.reset();  // the topic was made again
        return false;
    } else {
        search->probed(failed && message.offset <= search->first());
    }
    if (!search->done()) {
        seek(number, search->probe());
        return true;
    }
    const auto end = search->end();
    passed_.add(number, std::max(search->first(), owned.progress.next()), end - 1, not_inflated);
    search.reset();
    owned.progress.pass(end);
    seek(number, end);
    return true;
}

// Reading on at a wrong position would pass good records: rather the member joins its group again.
void kafka_group::seek(std::int32_t number, std::int64_t offset) {
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        if (seek_partition(consumer_.get(), settings_.topic, number, offset, settings_.timeout)) {
            return;
        }
    }
    lost_place_ = true;
    throw std::runtime_error("partition " + std::to_string(number) +
                             " cannot be read from offset " + std::to_string(offset));
}

}  // namespace postrider::relaying
