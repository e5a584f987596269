#include "worker/coordinator/pace.hpp"

#include <algorithm>
#include <cmath>

namespace postrider::working {
namespace {

constexpr double soon = 0.2;          // seconds of work held besides running messages
constexpr double slice_time = 0.001;  // seconds that a thread is busy with one slice
constexpr int largest_slice = 64;
constexpr double chain_time = 0.02;  // seconds that a thread is busy with one ordering key
constexpr int largest_chain = 100;
constexpr double memory = 200;  // messages after which an observation has lost its weight

}  // namespace

void pace::learn(const finished_slice& done) {
    const int count = done.range.end - done.range.begin;
    held_back_for_ -= std::min(held_back_for_, count);
    if (count == 0 || done.spent == clock::duration::zero()) {
        return;  // withdrawn, or a part of a slice that is still under way
    }
    const double observed =
        std::max(std::chrono::duration<double>(done.spent).count() / count, 1e-8);
    if (seconds_per_message_ == 0) {
        seconds_per_message_ = observed;
        return;
    }
    const double weight = 1 - std::exp(-count / memory * std::max(1.0, observed / 0.01));
    seconds_per_message_ += (observed - seconds_per_message_) * weight;
}

void pace::hold_back() { held_back_for_ = static_cast<int>(memory); }

int pace::target(int stuck_threads) const {
    const int threads = limits_.concurrency - stuck_threads;
    if (threads <= 0 || held_back_for_ > 0) {
        return std::min(threads, limits_.in_flight_max);
    }
    const int least = std::max(threads, limits_.largest_batch);
    return std::clamp(least + ahead(stuck_threads), 1, limits_.in_flight_max);
}

int pace::ahead(int stuck_threads) const {
    const int threads = limits_.concurrency - stuck_threads;
    if (threads <= 0 || held_back_for_ > 0 || seconds_per_message_ == 0) {
        return 0;
    }
    return static_cast<int>(
        std::min<double>(threads * soon / seconds_per_message_, limits_.in_flight_max));
}

clock::duration pace::stuck_after() const {
    const std::chrono::duration<double> expected(std::max(soon, 2 * seconds_per_message_));
    return std::chrono::duration_cast<clock::duration>(expected);
}

int pace::slice_size() const {
    if (seconds_per_message_ == 0) {
        return 1;
    }
    const auto fitting = static_cast<int>(std::min(slice_time / seconds_per_message_, 1e6));
    return std::clamp(fitting, 1, largest_slice);
}

int pace::chain_size(int claimed) const {
    if (seconds_per_message_ == 0) {
        return 1;
    }
    const auto fitting = static_cast<int>(std::min(chain_time / seconds_per_message_, 1e6));
    return std::clamp(std::min(fitting, claimed / limits_.concurrency), 1, largest_chain);
}

}  // namespace postrider::working
