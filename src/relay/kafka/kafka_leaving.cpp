#include "relay/kafka/kafka_leaving.hpp"

#include <future>
#include <thread>
#include <utility>

namespace postrider::relaying {

// librdkafka ends when its threads do, and they may be in a batch that it unpacks without end.
void leave_group(std::unique_ptr<kafka_group> member, std::chrono::milliseconds longest) {
    std::promise<void> left;
    const auto end = left.get_future();
    std::thread leaving([member = std::move(member), left = std::move(left)]() mutable {
        member.reset();
        left.set_value();
    });
    if (end.wait_for(longest) == std::future_status::ready) {
        leaving.join();
    } else {
        leaving.detach();
    }
}

}  // namespace postrider::relaying
