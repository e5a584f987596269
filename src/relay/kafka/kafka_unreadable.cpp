// Records that cannot be taken: batches that cannot be decompressed, and false offsets.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "relay/kafka/kafka_group.hpp"
#include "relay/kafka/kafka_offsets.hpp"

namespace postrider::relaying {
namespace {

constexpr const char* not_inflated = "cannot be decompressed";

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

// Brokers do not check the offsets in a batch that is not compressed. librdkafka goes on after the
// false one, where no record is, so records behind this one can be reached only by an operator.
bool kafka_group::has_false_offset(const rd_kafka_message_t& message, partition& owned) {
    const auto number = message.partition;
    if (message.offset < known_end(number)) {
        return false;
    }
    const auto range =
        range_of_partition(consumer_.get(), settings_.topic, number, settings_.timeout);
    if (message.offset < range.end || owned.progress.next() > range.end) {
        return false;  // the latter: the topic was made again
    }
    owned.unreadable = true;
    tell_of(number, owned, "a false offset");
    return true;
}

void kafka_group::find_place(std::int32_t number, partition& owned) {
    lost_place_ = true;  // after an exception the member joins its group again
    const auto range =
        range_of_partition(consumer_.get(), settings_.topic, number, settings_.timeout);
    if (owned.progress.next() > range.end) {
        owned = {.epoch = ++epoch_};  // the topic was made again
    }
    const auto next = owned.search ? owned.search->probe() : owned.progress.next();
    if (!assign_again(consumer_.get(), settings_.topic, number, std::max(next, range.first))) {
        throw std::runtime_error("partition " + std::to_string(number) +
                                 " cannot be assigned again");
    }
    lost_place_ = false;
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
