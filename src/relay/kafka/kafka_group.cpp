#include "relay/kafka/kafka_group.hpp"

#include <stdexcept>
#include <utility>

#include "relay/kafka/kafka_offsets.hpp"

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;

// Pausing a partition drops records that librdkafka has already fetched, so partitions are not
// paused for a short time without a free thread.
constexpr auto hold_back_after = std::chrono::seconds(1);
// Until the next try to commit.
constexpr auto rebalance_wait = std::chrono::milliseconds(50);
constexpr auto join_wait = std::chrono::milliseconds(100);

[[noreturn]] void fail_kafka(rd_kafka_resp_err_t why) {
    throw std::runtime_error(rd_kafka_err2str(why));
}

}  // namespace

kafka_group::kafka_group(settings how) : settings_(std::move(how)) {
    auto made = configure_kafka(settings_.server);
    rd_kafka_conf_set_opaque(made.get(), this);
    rd_kafka_conf_set_rebalance_cb(made.get(), on_rebalance);
    rd_kafka_conf_set_error_cb(made.get(), on_error);
    consumer_.reset(open_kafka(RD_KAFKA_CONSUMER, std::move(made)));
    rd_kafka_poll_set_consumer(consumer_.get());
    const auto topics = partition_list();
    rd_kafka_topic_partition_list_add(topics.get(), settings_.topic.c_str(), RD_KAFKA_PARTITION_UA);
    if (const auto refused = rd_kafka_subscribe(consumer_.get(), topics.get())) {
        fail_kafka(refused);
    }
}

kafka_group::~kafka_group() {
    arrived_.clear();
    try {
        if (!down_) {
            await_assignment();
            commit();
        }
    } catch (const std::exception&) {
        down_ = true;  // the next owners repeat records that were finished since the last commit
    }
    if (is_joining()) {
        // librdkafka 2.0.2 would end the process. Nothing serves it any more, so it calls nothing
        // here, and its group does without it after its poll interval.
        consumer_.release();
    } else if (down_) {
        // It would wait for a broker that does not answer.
        rd_kafka_destroy_flags(consumer_.release(), RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
    }
}

// The group has answered it, and has not assigned it partitions, or none.
bool kafka_group::is_joining() const {
    if (epoch_ > 0) {
        return false;
    }
    char* id = rd_kafka_memberid(consumer_.get());
    const bool known = id != nullptr && *id != '\0';
    rd_kafka_mem_free(consumer_.get(), id);
    return known;
}

void kafka_group::await_assignment() {
    const auto until = clock::now() + settings_.timeout;
    while (epoch_ == 0 && !down_ && clock::now() < until) {
        const kafka_message unused(
            rd_kafka_consumer_poll(consumer_.get(), static_cast<int>(join_wait.count())));
    }
}

void kafka_group::free_consumer::operator()(rd_kafka_t* one) const noexcept {
    rd_kafka_consumer_close(one);
    rd_kafka_destroy(one);
}

void kafka_group::on_error(rd_kafka_t*, int code, const char*, void* self) {
    if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        static_cast<kafka_group*>(self)->down_ = true;
    }
}

void kafka_group::on_rebalance(rd_kafka_t* by, rd_kafka_resp_err_t change,
                               rd_kafka_topic_partition_list_t* partitions, void* self) {
    auto& group = *static_cast<kafka_group*>(self);
    if (change == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        group.assign(partitions);
        rd_kafka_error_destroy(rd_kafka_incremental_assign(by, partitions));
    } else {
        group.revoke(partitions);
        rd_kafka_error_destroy(rd_kafka_incremental_unassign(by, partitions));
    }
}

void kafka_group::assign(rd_kafka_topic_partition_list_t* partitions) {
    // Without an answer librdkafka reads the offsets later; the progress of the former owners is
    // unknown then.
    const bool known = rd_kafka_committed(consumer_.get(), partitions,
                                          static_cast<int>(settings_.timeout.count())) ==
                       RD_KAFKA_RESP_ERR_NO_ERROR;
    ++epoch_;
    for (int i = 0; i < partitions->cnt; ++i) {
        auto& one = partitions->elems[i];
        partition made{.epoch = ++epoch_};
        if (known && one.err == RD_KAFKA_RESP_ERR_NO_ERROR && one.offset >= 0) {
            made.progress = partition_progress(
                one.offset, {static_cast<const char*>(one.metadata), one.metadata_size});
        } else if (known && one.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
            one.offset = RD_KAFKA_OFFSET_BEGINNING;
        }
        partitions_.insert_or_assign(one.partition, std::move(made));
    }
    resume();  // partitions that it keeps
}

void kafka_group::revoke(rd_kafka_topic_partition_list_t* partitions) {
    try {
        if (rd_kafka_assignment_lost(consumer_.get()) == 0) {
            commit();
        }
    } catch (const std::exception&) {
        // The next owner repeats records that were finished since the last commit.
    }
    for (int i = 0; i < partitions->cnt; ++i) {
        partitions_.erase(partitions->elems[i].partition);
        stuck_.erase(partitions->elems[i].partition);
    }
}

bool kafka_group::fatal() const {
    return lost_place_ ||
           rd_kafka_fatal_error(consumer_.get(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR;
}

// All that is known, because not every notice is logged.
std::string kafka_group::notice() {
    const bool added = std::exchange(stuck_added_, false);
    auto text = passed_.notice(settings_.topic, added);
    if ((!added && text.empty()) || stuck_.empty()) {
        return text;
    }
    text += (text.empty() ? "" : "; ") + ("topic " + settings_.topic) +
            ": records do not arrive although there are some: ";
    const char* separator = "";
    for (const auto& [number, what] : stuck_) {
        text += separator + what;
        separator = ", ";
    }
    return text + "; see the guide about brokers";
}

bool kafka_group::holds(const kafka_position& one) const {
    const auto found = partitions_.find(one.partition);
    return found != partitions_.end() && found->second.epoch == one.epoch &&
           found->second.progress.is_open(one.offset);
}

void kafka_group::finish(const kafka_position& one) {
    if (holds(one)) {
        partitions_.at(one.partition).progress.finish(one.offset);
    }
}

std::vector<kafka_group::record> kafka_group::fetch(int limit, milliseconds wait) {
    require_answer();
    if (limit <= 0) {
        hold_back();
    } else {
        resume();
        poll(limit, refused_ ? rebalance_wait : milliseconds(0));
        if (arrived_.empty()) {
            commit();  // commits of finished records do not wait for new records
            poll(limit, wait);
        }
    }
    // Before records are handed out: one of them may end this process.
    refused_ = !commit();
    if (refused_) {
        return {};
    }
    std::erase_if(arrived_, [this](const record& one) { return !holds(one.at); });
    return std::exchange(arrived_, {});
}

// A member that does not poll counts as dead, but polling hands out records: partitions are paused.
void kafka_group::hold_back() {
    const auto now = clock::now();
    unwanted_since_ = unwanted_since_.value_or(now);
    if (now - *unwanted_since_ < hold_back_after) {
        return;
    }
    if (!held_back_) {
        rd_kafka_pause_partitions(consumer_.get(), assigned_to(consumer_.get()).get());
        held_back_ = true;
    }
    poll(1, milliseconds(0));
}

void kafka_group::resume() {
    unwanted_since_.reset();
    if (std::exchange(held_back_, false)) {
        rd_kafka_resume_partitions(consumer_.get(), assigned_to(consumer_.get()).get());
    }
}

void kafka_group::require_answer() {
    if (!down_) {
        return;
    }
    const rd_kafka_metadata_t* found = nullptr;
    if (const auto why = rd_kafka_metadata(consumer_.get(), 0, nullptr, &found,
                                           static_cast<int>(settings_.timeout.count()))) {
        fail_kafka(why);
    }
    rd_kafka_metadata_destroy(found);
    down_ = false;
}

bool kafka_group::commit() {
    const auto list = partition_list();
    std::map<std::int32_t, std::string> now;
    for (const auto& [number, one] : partitions_) {
        const auto offset = one.progress.offset();
        auto text = one.progress.text();
        auto state = std::to_string(offset) + " " + text;
        if (offset >= 0 && state != one.committed) {
            add_offset(list.get(), settings_.topic, number, offset, text);
            now[number] = std::move(state);
        }
    }
    if (now.empty()) {
        return true;
    }
    const auto refused = commit_offsets(consumer_.get(), list.get(), settings_.timeout);
    switch (refused) {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            break;
        case RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS:
        case RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION:
        case RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID:
            return false;  // polling answers the rebalance
        default:
            fail_kafka(refused);
    }
    for (auto& [number, state] : now) {
        partitions_.at(number).committed = std::move(state);
    }
    return true;
}

}  // namespace postrider::relaying
