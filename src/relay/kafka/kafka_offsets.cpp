#include "relay/kafka/kafka_offsets.hpp"

#include <cstring>
#include <stdexcept>

namespace postrider::relaying {
namespace {

struct free_kafka_queue {
    void operator()(rd_kafka_queue_t* one) const noexcept { rd_kafka_queue_destroy(one); }
};
struct free_kafka_event {
    void operator()(rd_kafka_event_t* one) const noexcept { rd_kafka_event_destroy(one); }
};

bool succeeded(rd_kafka_error_t* answer) {
    rd_kafka_error_destroy(answer);
    return answer == nullptr;
}

}  // namespace

kafka_list partition_list() { return kafka_list(rd_kafka_topic_partition_list_new(1)); }

kafka_list assigned_to(rd_kafka_t* member) {
    rd_kafka_topic_partition_list_t* found = nullptr;
    return rd_kafka_assignment(member, &found) == RD_KAFKA_RESP_ERR_NO_ERROR ? kafka_list(found)
                                                                             : partition_list();
}

void add_offset(rd_kafka_topic_partition_list_t* to, const std::string& topic,
                std::int32_t partition, std::int64_t offset, const std::string& text) {
    auto* made = rd_kafka_topic_partition_list_add(to, topic.c_str(), partition);
    made->offset = offset;
    made->metadata = ::strdup(text.c_str());  // freed with the list
    made->metadata_size = made->metadata == nullptr ? 0 : text.size();
}

rd_kafka_resp_err_t commit_offsets(rd_kafka_t* by, const rd_kafka_topic_partition_list_t* offsets,
                                   std::chrono::milliseconds timeout) {
    const std::unique_ptr<rd_kafka_queue_t, free_kafka_queue> answers(rd_kafka_queue_new(by));
    if (const auto refused = rd_kafka_commit_queue(by, offsets, answers.get(), nullptr, nullptr)) {
        return refused;
    }
    const std::unique_ptr<rd_kafka_event_t, free_kafka_event> answer(
        rd_kafka_queue_poll(answers.get(), static_cast<int>(timeout.count())));
    if (!answer) {
        return RD_KAFKA_RESP_ERR__TIMED_OUT;
    }
    if (const auto refused = rd_kafka_event_error(answer.get())) {
        return refused;
    }
    const auto* all = rd_kafka_event_topic_partition_list(answer.get());
    for (int i = 0; all != nullptr && i < all->cnt; ++i) {
        if (all->elems[i].err != RD_KAFKA_RESP_ERR_NO_ERROR) {
            return all->elems[i].err;
        }
    }
    return RD_KAFKA_RESP_ERR_NO_ERROR;
}

offset_range range_of_partition(rd_kafka_t* consumer, const std::string& topic,
                                std::int32_t partition, std::chrono::milliseconds timeout) {
    offset_range found;
    if (const auto why =
            rd_kafka_query_watermark_offsets(consumer, topic.c_str(), partition, &found.first,
                                             &found.end, static_cast<int>(timeout.count()))) {
        throw std::runtime_error(rd_kafka_err2str(why));
    }
    return found;
}

bool seek_partition(rd_kafka_t* consumer, const std::string& topic, std::int32_t partition,
                    std::int64_t offset, std::chrono::milliseconds timeout) {
    const auto list = partition_list();
    auto* one = rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition);
    one->offset = offset;
    auto* problem =
        rd_kafka_seek_partitions(consumer, list.get(), static_cast<int>(timeout.count()));
    return succeeded(problem) && one->err == RD_KAFKA_RESP_ERR_NO_ERROR;
}

// A seek would be refused.
bool assign_again(rd_kafka_t* consumer, const std::string& topic, std::int32_t partition,
                  std::int64_t offset) {
    const auto list = partition_list();
    auto* one = rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition);
    const bool removed = succeeded(rd_kafka_incremental_unassign(consumer, list.get()));
    one->offset = offset;
    return removed && succeeded(rd_kafka_incremental_assign(consumer, list.get()));
}

}  // namespace postrider::relaying
