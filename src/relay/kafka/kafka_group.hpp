#pragma once

#include <librdkafka/rdkafka.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "relay/kafka/kafka_client.hpp"
#include "relay/kafka/kafka_record.hpp"
#include "relay/kafka/partition_progress.hpp"
#include "relay/kafka/partition_silence.hpp"
#include "relay/kafka/passed_records.hpp"

namespace postrider::relaying {

/// A record of the topic. `epoch` distinguishes the periods in which this member had the partition.
struct kafka_position {
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::int64_t epoch = 0;
};

/// A member of a consumer group that reads one topic. Offsets are committed when records are
/// finished, and before records are handed out. librdkafka reconnects by itself; functions throw
/// std::runtime_error while Kafka does not answer. For one thread.
class kafka_group {
  public:
    struct settings {
        kafka_settings server;
        std::string topic;
        std::string group;
        std::chrono::milliseconds timeout;  ///< of a call to the broker
        /// After this operators are told of a partition whose records do not arrive.
        std::chrono::milliseconds silence_max = std::chrono::minutes(1);
    };
    struct record {
        kafka_message message;
        kafka_position at;
        bool repeated;  ///< another member was lost while it had it
    };

    /// Throws usage_error for properties that librdkafka refuses.
    explicit kafka_group(settings how);
    kafka_group(const kafka_group&) = delete;
    kafka_group& operator=(const kafka_group&) = delete;
    /// Commits and leaves the group.
    ~kafka_group();

    /// Has message_bytes_max of records at most, and one more. Also keeps this member in the group:
    /// it must be called several times a minute.
    std::vector<record> fetch(int limit, std::chrono::milliseconds wait);
    /// Ignores records of partitions that this member has lost.
    void finish(const kafka_position& one);
    /// Whether it is not finished, and in a partition of this member.
    bool holds(const kafka_position& one) const;
    /// A text for operators: the records that were passed over since the last call, and partitions
    /// whose records do not arrive.
    std::string notice();
    /// The member cannot be used any more.
    bool fatal() const;

  private:
    using clock = std::chrono::steady_clock;
    struct partition {
        std::int64_t epoch = 0;
        partition_progress progress = {};
        std::string committed = {};  ///< offset and text
        std::optional<batch_search> search = {};
        partition_silence silence = {};
        bool unreadable = false;  ///< its next record cannot be taken, and no record behind it
    };
    struct free_consumer {
        void operator()(rd_kafka_t* one) const noexcept;
    };

    static void on_rebalance(rd_kafka_t* by, rd_kafka_resp_err_t change,
                             rd_kafka_topic_partition_list_t* partitions, void* self);
    static void on_error(rd_kafka_t* by, int code, const char* text, void* self);
    void assign(rd_kafka_topic_partition_list_t* partitions);
    void revoke(rd_kafka_topic_partition_list_t* partitions);
    void seek(std::int32_t number, std::int64_t offset);
    void poll(int limit, std::chrono::milliseconds wait);
    void take(kafka_message message);
    void add(kafka_message message, partition& owned);
    /// Whether the message, or the failure to read a batch, belongs to a search in the partition.
    bool searches(const rd_kafka_message_t& message, partition& owned);
    /// Whether the offset of the record is after the end of the partition.
    bool has_false_offset(const rd_kafka_message_t& message, partition& owned);
    /// Reads on after librdkafka has found no record at the offset of the partition.
    void find_place(std::int32_t number, partition& owned);
    void tell_of(std::int32_t number, const partition& owned, const char* why);
    void watch();
    /// As the last response of the broker said.
    std::int64_t known_end(std::int32_t number) const;
    void hold_back();
    void resume();
    void require_answer();
    void await_assignment();
    bool is_joining() const;
    /// Throws when Kafka does not answer; false while the group is being rebalanced.
    bool commit();

    const settings settings_;
    std::map<std::int32_t, partition> partitions_;
    std::vector<record> arrived_;  ///< not handed out yet
    passed_records passed_;
    std::map<std::int32_t, std::string> stuck_;  ///< partitions to tell of
    bool stuck_added_ = false;                   ///< since the last notice
    bool refused_ = false;                       ///< the last commit, by a rebalance
    std::int64_t epoch_ = 0;                     ///< 0: it has never had an assignment
    std::optional<clock::time_point> unwanted_since_;
    bool held_back_ = false;
    bool down_ = false;
    bool lost_place_ = false;
    std::unique_ptr<rd_kafka_t, free_consumer> consumer_;
};

}  // namespace postrider::relaying
