#pragma once

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <memory>
#include <string>

namespace postrider::relaying {

struct free_kafka_list {
    void operator()(rd_kafka_topic_partition_list_t* one) const noexcept {
        rd_kafka_topic_partition_list_destroy(one);
    }
};
using kafka_list = std::unique_ptr<rd_kafka_topic_partition_list_t, free_kafka_list>;

kafka_list partition_list();
/// The partitions of a member.
kafka_list assigned_to(rd_kafka_t* member);

/// `text` is kept by Kafka with the offset.
void add_offset(rd_kafka_topic_partition_list_t* to, const std::string& topic,
                std::int32_t partition, std::int64_t offset, const std::string& text);
/// Waits for the answer, at most for that long; librdkafka's own call may wait for minutes.
rd_kafka_resp_err_t commit_offsets(rd_kafka_t* by, const rd_kafka_topic_partition_list_t* offsets,
                                   std::chrono::milliseconds timeout);

struct offset_range {
    std::int64_t first = 0;
    std::int64_t end = 0;  ///< after the last one
};
/// The offsets of all records of a partition. Throws std::runtime_error.
offset_range range_of_partition(rd_kafka_t* consumer, const std::string& topic,
                                std::int32_t partition, std::chrono::milliseconds timeout);
/// Whether the next record of the partition is the one at this offset.
bool seek_partition(rd_kafka_t* consumer, const std::string& topic, std::int32_t partition,
                    std::int64_t offset, std::chrono::milliseconds timeout);

/// Reads a partition of this member from an offset, when librdkafka has given it up. Returns false
/// when it refuses.
bool assign_again(rd_kafka_t* consumer, const std::string& topic, std::int32_t partition,
                  std::int64_t offset);

}  // namespace postrider::relaying
