#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace postrider::test {

/// Polls until the condition is true or the timeout has passed. Only for actions of another process
/// that no event announces.
template <typename Predicate>
bool eventually(Predicate&& holds, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    constexpr std::chrono::milliseconds longest_pause{20};
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    auto pause = std::chrono::milliseconds(1);
    while (!holds()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, longest_pause);
    }
    return true;
}

}  // namespace postrider::test
