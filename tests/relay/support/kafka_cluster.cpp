#include "relay/support/kafka_cluster.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "relay/kafka/partition_progress.hpp"

namespace postrider::test {
namespace {

constexpr int call_timeout_ms = 5000;
constexpr std::int16_t leave_group = 13;  // of Kafka's protocol
constexpr std::int32_t only_broker = 1;

kafka_cluster::record read_record(const rd_kafka_message_t& message) {
    kafka_cluster::record made{{static_cast<const char*>(message.key), message.key_len},
                               {static_cast<const char*>(message.payload), message.len},
                               {}};
    rd_kafka_headers_t* headers = nullptr;
    rd_kafka_message_headers(&message, &headers);
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         headers != nullptr && rd_kafka_header_get_all(headers, i, &name, &value, &size) == 0;
         ++i) {
        made.headers[name].assign(static_cast<const char*>(value), size);
    }
    return made;
}

rd_kafka_vu_t part(rd_kafka_vtype_t kind) {
    rd_kafka_vu_t made{};
    made.vtype = kind;
    return made;
}

rd_kafka_vu_t memory(rd_kafka_vtype_t kind, const std::string& text) {
    auto made = part(kind);
    made.u.mem.ptr = const_cast<char*>(text.data());  // librdkafka copies it
    made.u.mem.size = text.size();
    return made;
}

bool produces(rd_kafka_t* sender, const std::string& topic, std::int32_t partition,
              const std::string& value, std::vector<rd_kafka_vu_t> more = {}) {
    auto parts = std::move(more);
    parts.push_back(part(RD_KAFKA_VTYPE_TOPIC));
    parts.back().u.cstr = topic.c_str();
    parts.push_back(part(RD_KAFKA_VTYPE_PARTITION));
    parts.back().u.i32 = partition;
    parts.push_back(part(RD_KAFKA_VTYPE_MSGFLAGS));
    parts.back().u.i = RD_KAFKA_MSG_F_COPY;
    parts.push_back(memory(RD_KAFKA_VTYPE_VALUE, value));
    auto* refused = rd_kafka_produceva(sender, parts.data(), parts.size());
    rd_kafka_error_destroy(refused);
    return refused == nullptr;
}

}  // namespace

kafka_cluster::kafka_cluster() {
    std::array<char, 256> problem{};
    owner_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), problem.data(), problem.size());
    cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
}

kafka_cluster::~kafka_cluster() {
    if (sender_ != nullptr) {
        rd_kafka_destroy(sender_);
    }
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(owner_);
}

void kafka_cluster::set_down(bool down) {
    if (down) {
        rd_kafka_mock_broker_set_down(cluster_, 1);
    } else {
        rd_kafka_mock_broker_set_up(cluster_, 1);
    }
}

void kafka_cluster::set_round_trip(std::chrono::milliseconds time) {
    rd_kafka_mock_broker_set_rtt(cluster_, only_broker, static_cast<int>(time.count()));
}

void kafka_cluster::fail_next(rd_kafka_resp_err_t error) {
    constexpr std::int16_t produce = 0;
    rd_kafka_mock_push_request_errors(cluster_, produce, 1, error);
}

// The first request of this kind takes a prepared answer, which is no error, from the broker.
void kafka_cluster::watch_members() {
    rd_kafka_mock_broker_push_request_error_rtts(cluster_, only_broker, leave_group, 1,
                                                 RD_KAFKA_RESP_ERR_NO_ERROR, 0);
}

bool kafka_cluster::member_left() const {
    std::size_t left = 1;
    rd_kafka_mock_broker_error_stack_cnt(cluster_, only_broker, leave_group, &left);
    return left == 0;
}

void kafka_cluster::add(const std::string& topic, int partitions) {
    rd_kafka_mock_topic_create(cluster_, topic.c_str(), partitions, 1);
    topics_[topic] = partitions;
}

void kafka_cluster::deny(const std::string& topic) {
    rd_kafka_mock_topic_set_error(cluster_, topic.c_str(), RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
}

rd_kafka_t* kafka_cluster::client(rd_kafka_type_t type, const std::string& group,
                                  const std::string& codec) const {
    std::array<char, 256> problem{};
    auto* how = rd_kafka_conf_new();
    rd_kafka_conf_set(how, "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster_),
                      problem.data(), problem.size());
    if (type == RD_KAFKA_PRODUCER) {
        // Both limits are of records before they are compressed.
        for (const auto& [name, value] : {std::pair{"compression.codec", codec.c_str()},
                                          {"message.max.bytes", "1000000000"},
                                          {"batch.size", "1000000000"},
                                          {"linger.ms", "1000"}}) {  // flush() does not wait
            rd_kafka_conf_set(how, name, value, problem.data(), problem.size());
        }
    } else {
        rd_kafka_conf_set(how, "group.id", group.c_str(), problem.data(), problem.size());
        rd_kafka_conf_set(how, "auto.offset.reset", "earliest", problem.data(), problem.size());
    }
    auto* made = rd_kafka_new(type, how, problem.data(), problem.size());
    if (made == nullptr) {
        throw std::runtime_error(problem.data());
    }
    return made;
}

void kafka_cluster::send(const std::string& topic, int partition,
                         const std::vector<std::pair<std::string, std::string>>& headers,
                         const std::string& value, const std::string& key) {
    if (sender_ == nullptr) {
        sender_ = client(RD_KAFKA_PRODUCER, "");
    }
    auto* with = rd_kafka_headers_new(headers.size());
    for (const auto& [name, text] : headers) {
        rd_kafka_header_add(with, name.data(), static_cast<ssize_t>(name.size()), text.data(),
                            static_cast<ssize_t>(text.size()));
    }
    std::vector<rd_kafka_vu_t> more{part(RD_KAFKA_VTYPE_HEADERS)};
    more[0].u.headers = with;
    if (!key.empty()) {
        more.push_back(memory(RD_KAFKA_VTYPE_KEY, key));
    }
    if (!produces(sender_, topic, partition, value, std::move(more)) ||
        rd_kafka_flush(sender_, call_timeout_ms) != RD_KAFKA_RESP_ERR_NO_ERROR) {
        throw std::runtime_error("the cluster does not store a record");
    }
}

void kafka_cluster::send_compressed(const std::string& topic, const std::string& codec,
                                    const std::string& value, int count) const {
    auto* sender = client(RD_KAFKA_PRODUCER, "", codec);
    for (int i = 0; i < count; ++i) {
        produces(sender, topic, 0, value);
    }
    const auto refused = rd_kafka_flush(sender, call_timeout_ms);
    rd_kafka_destroy(sender);
    if (refused != RD_KAFKA_RESP_ERR_NO_ERROR) {
        throw std::runtime_error("the cluster does not store a compressed record");
    }
}

std::vector<kafka_cluster::record> kafka_cluster::read(const std::string& topic,
                                                       std::size_t count) const {
    auto* consumer = client(RD_KAFKA_CONSUMER, "test");
    auto* from = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(from, topic.c_str(), 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(consumer, from);
    rd_kafka_topic_partition_list_destroy(from);
    std::vector<record> all;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (all.size() < count && std::chrono::steady_clock::now() < deadline) {
        if (auto* message = rd_kafka_consumer_poll(consumer, 100)) {
            if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
                all.push_back(read_record(*message));
            }
            rd_kafka_message_destroy(message);
        }
    }
    rd_kafka_consumer_close(consumer);
    rd_kafka_destroy(consumer);
    return all;
}

void kafka_cluster::commit(const std::string& topic, const std::string& group,
                           std::int64_t offset) const {
    auto* consumer = client(RD_KAFKA_CONSUMER, group);
    auto* offsets = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(offsets, topic.c_str(), 0)->offset = offset;
    const auto refused = rd_kafka_commit(consumer, offsets, 0);
    rd_kafka_topic_partition_list_destroy(offsets);
    rd_kafka_destroy(consumer);
    if (refused != RD_KAFKA_RESP_ERR_NO_ERROR) {
        throw std::runtime_error(rd_kafka_err2str(refused));
    }
}

long kafka_cluster::unfinished(const std::string& topic, const std::string& group) const {
    auto* consumer = client(RD_KAFKA_CONSUMER, group);
    auto* offsets = rd_kafka_topic_partition_list_new(1);
    for (int i = 0; i < topics_.at(topic); ++i) {
        rd_kafka_topic_partition_list_add(offsets, topic.c_str(), i);
    }
    long count = rd_kafka_committed(consumer, offsets, call_timeout_ms) == 0 ? 0 : -1;
    for (int i = 0; count >= 0 && i < offsets->cnt; ++i) {
        const auto& one = offsets->elems[i];
        std::int64_t first = 0;
        std::int64_t end = 0;
        if (rd_kafka_query_watermark_offsets(consumer, topic.c_str(), one.partition, &first, &end,
                                             call_timeout_ms) != RD_KAFKA_RESP_ERR_NO_ERROR) {
            count = -1;
            break;
        }
        relaying::partition_progress progress(
            std::max(one.offset, first),
            {static_cast<const char*>(one.metadata), one.metadata_size});
        for (auto at = std::max(one.offset, first); at < end; ++at) {
            count +=
                progress.arrived(at) == relaying::partition_progress::arrival::finished ? 0 : 1;
        }
    }
    rd_kafka_topic_partition_list_destroy(offsets);
    rd_kafka_destroy(consumer);
    return count;
}

}  // namespace postrider::test
