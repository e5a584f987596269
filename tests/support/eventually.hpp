#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace postrider::test {

/// Asks until the answer is yes or the patience is over: for what another process does and nothing
/// signals, and only there.
template <typename Predicate>
bool eventually(Predicate&& holds, std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    constexpr std::chrono::milliseconds longest_pause{20};
    const auto deadline = std::chrono::steady_clock::now() + patience;
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
