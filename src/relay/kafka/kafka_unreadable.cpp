// Records that cannot be taken: batches that cannot be decompressed, and false offsets.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "relay/kafka/kafka_group.hpp"
#include "relay/kafka/kafka_offsets.hpp"

namespace postrider::relaying {
namespace {

constexpr const char* not_inflated = "cannot be decompressed";
constexpr const char* not_its_offset = "false offsets";

}  // namespace

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
        search.emplace(
            message.offset,
            range_of_partition(consumer_.get(), settings_.topic, number, settings_.timeout).end);
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

// Brokers do not check the offsets in a batch that is not compressed. librdkafka would go on after
// the false one, find no record there, and begin with the first one of the partition again.
bool kafka_group::passes_false_offset(const rd_kafka_message_t& message, partition& owned) {
    const auto number = message.partition;
    if (message.offset < known_end(number)) {
        return false;
    }
    const auto range =
        range_of_partition(consumer_.get(), settings_.topic, number, settings_.timeout);
    const auto at = std::max(owned.progress.next(), range.first);
    if (at >= range.end || message.offset < range.end) {
        return false;  // the topic was made again
    }
    // One at a time: the next record may be a good one.
    passed_.add(number, at, at, not_its_offset);
    owned.progress.pass(at + 1);
    seek(number, at + 1);
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
