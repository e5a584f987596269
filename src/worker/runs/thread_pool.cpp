#include "worker/runs/thread_pool.hpp"

#include <algorithm>
#include <utility>

#include "base/blocked_signals.hpp"

namespace postrider::working {
namespace {

// A slice is meant to take a fifth of this.
constexpr auto slice_time_max = std::chrono::milliseconds(5);
// A chain is meant to take a fiftieth of this. The rest of one that takes longer goes back to the
// database: it may have to wait for hours.
constexpr auto chain_time_max = std::chrono::seconds(1);

finished_slice unstarted(slice rest) {
    finished_slice made{std::move(rest), {}, 0, {}};
    for (int index = made.range.begin; index < made.range.end; ++index) {
        made.failures.push_back({index, nullptr, {outcome_kind::interrupted, {}, {}, {}}});
    }
    return made;
}

}  // namespace

void thread_pool::start() {
    const blocked_signals meanwhile;
    runners_.clear();  // the pool may have been closed before
    queue_.open();
    try {
        for (int i = 0; i < size_; ++i) {
            runners_.push_back(std::make_unique<runner>(environment_));
            threads_.emplace_back(
                [self = shared_from_this(), by = runners_.back().get()] { self->work(*by); });
        }
    } catch (...) {
        close(true);  // all threads or none
        throw;
    }
}

int thread_pool::running() const { return static_cast<int>(threads_.size()) - queue_.idle(); }

// A pool that was not started has the thread that calls run_waiting().
int thread_pool::free_threads() const { return queue_.free_threads() + (threads_.empty() ? 1 : 0); }

bool thread_pool::lease_has_next_turn() const {
    const std::lock_guard lock(mutex_);
    return !finished_.empty() && !queue_.leases_had_turn();
}

work_queue::sizes thread_pool::sizes() const {
    return {slice_size_, environment_.handlers.largest_batch()};
}

void thread_pool::work(runner& by) {
    while (auto next = queue_.take(sizes())) {
        const bool several = next->end - next->begin > 1;
        by.take_up(std::move(*next));
        if (several && !watched_.exchange(true)) {
            wake_.set();
        }
        finish(by.run());
    }
}

void thread_pool::finish(finished_slice done) {
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

std::vector<finished_slice> thread_pool::take_finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
}

run_tally thread_pool::take_tally() {
    run_tally all;
    for (const auto& one : runners_) {
        all.add(one->take_tally());
    }
    return all;
}

std::vector<slice> thread_pool::withdraw(const held_batch* of) {
    auto taken = queue_.withdraw(of);
    for (const auto& one : runners_) {
        if (auto rest = one->withdraw(of)) {
            taken.push_back(std::move(*rest));
        }
    }
    return taken;
}

thread_pool::stuck_work thread_pool::stuck_since(clock::time_point then) const {
    stuck_work found;
    for (const auto& one : runners_) {
        if (const auto load = one->busy(); load && load->since <= then) {
            ++found.threads;
            found.messages += load->messages;
        }
    }
    return found;
}

std::optional<clock::time_point> thread_pool::all_busy_since() const {
    auto last = clock::time_point::min();
    for (const auto& one : runners_) {
        const auto load = one->busy();
        if (!load) {
            return std::nullopt;
        }
        last = std::max(last, load->since);
    }
    return last;
}

clock::time_point thread_pool::spread(clock::time_point now) {
    watched_ = false;  // before the check: a runner that takes a slice after it sets the flag
    auto next = clock::time_point::max();
    for (const auto& one : runners_) {
        const auto since = one->holding_since();
        if (since && now < *since + slice_time_max) {
            next = std::min(next, *since + slice_time_max);
            continue;
        }
        if (auto others = since ? one->withdraw_others() : std::nullopt) {
            queue_.push(std::move(*others), work_queue::place::front);
        }
        if (!since || !one->holding_since()) {
            continue;
        }
        if (now < *since + chain_time_max) {
            next = std::min(next, *since + chain_time_max);
        } else if (auto rest = one->withdraw(nullptr)) {
            finish(unstarted(std::move(*rest)));
        }
    }
    watched_ = watched_ || next != clock::time_point::max();
    return next;
}

int thread_pool::run_waiting() {
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

void thread_pool::request_stop() {
    environment_.leaving = true;
    request_stop(nullptr);
}

void thread_pool::request_stop(const held_batch* on) {
    for (const auto& one : runners_) {
        one->request_stop(on);
    }
}

void thread_pool::request_stop(const held_batch* on, int index) {
    for (const auto& one : runners_) {
        one->request_stop(on, index);
    }
}

std::vector<runner::overdue_run> thread_pool::stop_overdue(clock::time_point now) {
    std::vector<runner::overdue_run> found;
    for (const auto& one : runners_) {
        if (auto overdue = one->stop_overdue(now)) {
            found.push_back(std::move(*overdue));
        }
    }
    return found;
}

void thread_pool::close(bool idle) {
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
