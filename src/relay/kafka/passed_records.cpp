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
    auto text = "partition " + std::to_string(partition) + " offset " + std::to_string(first);
    text += last > first ? " to " + std::to_string(last) : "";
    named_.push_back(text + " (" + why + ")");
    if (named_.size() > named_max) {
        named_.pop_front();
        ++unnamed_;
    }
}

std::string passed_records::notice(const std::string& topic) {
    if (named_.empty()) {
        return {};
    }
    auto text = "topic " + topic + ": records were passed over and stay in the topic, " +
                std::to_string(count_) + " times so far";
    text += unnamed_ > 0 ? ", the last ones: " : ": ";
    const char* separator = "";
    for (const auto& one : std::exchange(named_, {})) {
        text += separator + one;
        separator = ", ";
    }
    unnamed_ = 0;
    return text;
}

// The batch most often has one record, so the first steps are small.
std::int64_t batch_search::probe() const { return bad_ + std::min(step_, (good_ - bad_) / 2); }

void batch_search::probed(bool failed) {
    (failed ? bad_ : good_) = probe();
    step_ *= 2;
}

}  // namespace postrider::relaying
