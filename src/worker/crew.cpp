#include "worker/crew.hpp"

#include <algorithm>
#include <utility>

#include "worker/blocked_signals.hpp"

namespace postrider::working {
namespace {

// A slice is meant to take a fifth of that.
constexpr auto slice_time_max = std::chrono::milliseconds(5);

}  // namespace

void crew::start() {
    const blocked_signals meanwhile;
    runners_.clear();  // it may have been dismissed before
    queue_.open();
    try {
        for (int i = 0; i < size_; ++i) {
            runners_.push_back(std::make_unique<runner>(environment_));
            threads_.emplace_back(
                [self = shared_from_this(), hand = runners_.back().get()] { self->work(*hand); });
        }
    } catch (...) {
        dismiss(true);  // no room for all of them: none is better than a part
        throw;
    }
}

int crew::running() const { return static_cast<int>(threads_.size()) - queue_.idle(); }

// One that was not started has the hand of whoever calls run_waiting().
int crew::free_hands() const { return queue_.free_hands() + (threads_.empty() ? 1 : 0); }

bool crew::owes_leases_a_turn() const {
    const std::lock_guard lock(mutex_);
    return !finished_.empty() && !queue_.leases_had_turn();
}

work_queue::sizes crew::sizes() const {
    return {slice_size_, environment_.handlers.largest_batch()};
}

void crew::work(runner& hand) {
    while (auto next = queue_.take(sizes())) {
        const bool several = next->end - next->begin > 1;
        hand.take_up(std::move(*next));
        if (several && !watched_.exchange(true)) {
            wake_.set();
        }
        finish(hand.run());
    }
}

void crew::finish(finished_slice done) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = finished_.empty();
        finished_.push_back(std::move(done));
    }
    if (first) {
        wake_.set();
    }
}

std::vector<finished_slice> crew::take_finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
}

std::vector<slice> crew::withdraw(const held_batch* of) {
    auto taken = queue_.withdraw(of);
    for (const auto& hand : runners_) {
        if (auto rest = hand->withdraw(of)) {
            taken.push_back(std::move(*rest));
        }
    }
    return taken;
}

crew::stuck_work crew::stuck_since(clock::time_point then) const {
    stuck_work found;
    for (const auto& hand : runners_) {
        if (const auto load = hand->busy(); load && load->since <= then) {
            ++found.threads;
            found.messages += load->messages;
        }
    }
    return found;
}

std::optional<clock::time_point> crew::all_busy_since() const {
    auto last = clock::time_point::min();
    for (const auto& hand : runners_) {
        const auto load = hand->busy();
        if (!load) {
            return std::nullopt;
        }
        last = std::max(last, load->since);
    }
    return last;
}

clock::time_point crew::spread(clock::time_point now) {
    watched_ = false;  // before looking: who takes something up after the look says so
    auto next = clock::time_point::max();
    for (const auto& hand : runners_) {
        const auto since = hand->holding_since();
        if (since && now < *since + slice_time_max) {
            next = std::min(next, *since + slice_time_max);
        } else if (since) {
            if (auto rest = hand->withdraw(nullptr)) {
                queue_.push(std::move(*rest), work_queue::place::front);
            }
        }
    }
    watched_ = watched_ || next != clock::time_point::max();
    return next;
}

int crew::run_waiting() {
    if (runners_.empty()) {
        runners_.push_back(std::make_unique<runner>(environment_));
    }
    int runs = 0;
    while (auto next = queue_.try_take(sizes())) {
        runners_.front()->take_up(std::move(*next));
        auto done = runners_.front()->run();
        runs += done.runs;
        finish(std::move(done));
    }
    return runs;
}

void crew::request_stop() {
    environment_.leaving = true;
    request_stop(nullptr);
}

void crew::request_stop(const held_batch* on) {
    for (const auto& hand : runners_) {
        hand->request_stop(on);
    }
}

std::vector<runner::overdue_run> crew::stop_overdue(clock::time_point now) {
    std::vector<runner::overdue_run> found;
    for (const auto& hand : runners_) {
        if (auto one = hand->stop_overdue(now)) {
            found.push_back(std::move(*one));
        }
    }
    return found;
}

void crew::dismiss(bool idle) {
    queue_.close();
    for (auto& thread : threads_) {
        if (idle) {
            thread.join();
        } else {
            thread.detach();
        }
    }
    threads_.clear();
}

}  // namespace postrider::working
