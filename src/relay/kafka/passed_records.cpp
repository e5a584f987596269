#include "relay/kafka/passed_records.hpp"

#include <algorithm>
#include <utility>

namespace postrider::relaying {
namespace {

constexpr std::size_t named_max = 20;

}  // namespace

void passed_records::add(std::int32_t partition, std::int64_t first, std::int64_t last,
                         const char* why) {
    ++count_;
    added_ = true;
    const auto before = std::ranges::find_if(ranges_, [&](const range& one) {
        return one.partition == partition && one.last + 1 == first && one.why == why;
    });
    if (before != ranges_.end()) {
        before->last = last;
        return;
    }
    ranges_.push_back({partition, first, last, why});
    if (ranges_.size() > named_max) {
        ranges_.pop_front();
        complete_ = false;
    }
}

std::string passed_records::notice(const std::string& topic, bool again) {
    if (!std::exchange(added_, false) && (!again || count_ == 0)) {
        return {};
    }
    auto text = "topic " + topic + ": records were passed over and stay in the topic, " +
                std::to_string(count_) + " times so far";
    text += complete_ ? ": " : ", the last ones: ";
    const char* separator = "";
    for (const auto& one : ranges_) {
        text += separator + ("partition " + std::to_string(one.partition)) + " offset " +
                std::to_string(one.first);
        text += one.last > one.first ? " to " + std::to_string(one.last) : "";
        text += " (" + one.why + ")";
        separator = ", ";
    }
    return text;
}

// The batch most often has one record, so the first steps are small.
std::int64_t batch_search::probe() const { return bad_ + std::min(step_, (good_ - bad_) / 2); }

void batch_search::probed(bool failed) {
    (failed ? bad_ : good_) = probe();
    step_ *= 2;
}

}  // namespace postrider::relaying
