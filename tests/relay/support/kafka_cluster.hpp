#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace postrider::test {

/// librdkafka's own mock cluster: real sockets and the real protocol, in this process.
class kafka_cluster {
  public:
    struct record {
        std::string key;
        std::string value;
        std::map<std::string, std::string> headers;
    };

    kafka_cluster();
    kafka_cluster(const kafka_cluster&) = delete;
    kafka_cluster& operator=(const kafka_cluster&) = delete;
    ~kafka_cluster();

    std::string url() const { return "kafka://" + address(); }
    std::string address() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
    /// For members of a group. The cluster takes 3 s for the first member, and for each rebalance
    /// nearly as long as a session.
    std::string url_of_members() const {
        return url() + "?session.timeout.ms=4500&heartbeat.interval.ms=300";
    }
    void set_down(bool down);
    /// Answers take that long from now on.
    void set_round_trip(std::chrono::milliseconds time);
    /// The next request to store messages fails with this error.
    void fail_next(rd_kafka_resp_err_t error);
    /// From now on the cluster remembers whether a member leaves its group.
    void watch_members();
    bool member_left() const;
    void add(const std::string& topic, int partitions = 1);
    /// Answers that it does not exist.
    void deny(const std::string& topic);

    /// Stores a record in a partition; -1: any.
    void send(const std::string& topic, int partition,
              const std::vector<std::pair<std::string, std::string>>& headers,
              const std::string& value, const std::string& key = "");
    /// Stores equal records in partition 0 as a batch of its own, compressed by this codec of
    /// librdkafka. The cluster keeps a few megabytes per partition.
    void send_compressed(const std::string& topic, const std::string& codec,
                         const std::string& value, int count = 1) const;
    /// Reads until there are that many records, or none comes for a while.
    std::vector<record> read(const std::string& topic, std::size_t count) const;
    /// Moves a group without members in partition 0, like an operator.
    void commit(const std::string& topic, const std::string& group, std::int64_t offset) const;
    /// Records of a topic that a group has not finished; -1 when the cluster does not answer.
    long unfinished(const std::string& topic, const std::string& group) const;

  private:
    rd_kafka_t* client(rd_kafka_type_t type, const std::string& group,
                       const std::string& codec = "none") const;

    rd_kafka_t* owner_ = nullptr;
    rd_kafka_mock_cluster_t* cluster_ = nullptr;
    rd_kafka_t* sender_ = nullptr;
    std::map<std::string, int> topics_;  ///< number of partitions
};

}  // namespace postrider::test
