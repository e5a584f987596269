#include "worker/runs/work_queue.hpp"

#include <algorithm>

namespace postrider::working {

void work_queue::push(slice work, place at) {
    {
        const std::lock_guard lock(mutex_);
        auto& to = work.batch->is_due() ? held_ : waiting_;
        if (at == place::front) {
            to.push_front(std::move(work));
        } else {
            to.push_back(std::move(work));
        }
    }
    changed_.notify_one();
}

void work_queue::push_due(const std::vector<slice>& runs) {
    {
        const std::lock_guard lock(mutex_);
        due_.insert(due_.end(), runs.begin(), runs.end());
        leases_had_turn_ = false;
    }
    changed_.notify_one();
}

slice work_queue::cut(std::deque<slice>& from, sizes size) {
    auto& first = from.front();
    slice taken = first;
    const bool in_batch = first.batch->in_batches(first.begin);
    const int limit = std::min(first.end, first.begin + (in_batch ? size.in_batch : size.most));
    const auto& order = first.batch->order();
    taken.end = std::min(first.end, order.end_of(first.begin));
    while (taken.end < limit && first.batch->in_batches(taken.end) == in_batch) {
        taken.end = std::min(first.end, order.end_of(taken.end));
    }
    first.begin = taken.end;
    if (first.begin == first.end) {
        from.pop_front();
    }
    return taken;
}

// Threads wake each other one by one: short work is finished before many are awake.
std::optional<slice> work_queue::next(sizes size) {
    std::optional<slice> taken;
    if (!due_.empty()) {
        taken = std::move(due_.front());
        due_.pop_front();
    } else if (!held_.empty() && (leases_had_turn_ || waiting_.empty())) {
        taken = cut(held_, size);
        leases_had_turn_ = false;
    } else if (!waiting_.empty()) {
        taken = cut(waiting_, size);
        leases_had_turn_ = true;
    }
    if (!due_.empty() || !held_.empty() || !waiting_.empty()) {
        changed_.notify_one();
    }
    return taken;
}

bool work_queue::may_take() const {
    return closed_ || !due_.empty() || !held_.empty() ||
           (!waiting_.empty() && idle_ > (requested_ && leases_had_turn_ ? 1 : 0));
}

std::optional<slice> work_queue::take(sizes size) {
    std::unique_lock lock(mutex_);
    ++idle_;
    notify_free_thread();
    changed_.wait(lock, [&] { return may_take(); });
    --idle_;
    auto taken = next(size);
    notify_free_thread();  // the lease has had its turn; other threads may be free
    return taken;
}

std::optional<slice> work_queue::try_take(sizes size) {
    const std::lock_guard lock(mutex_);
    return next(size);
}

int work_queue::count_free() const {
    const bool turn_of_leases = !leases_had_turn_ && !waiting_.empty();
    return turn_of_leases || !held_.empty() ? 0 : idle_ - static_cast<int>(due_.size());
}

void work_queue::notify_free_thread() const {
    if (requested_ && count_free() > 0) {
        free_();
    }
}

int work_queue::free_threads() const {
    const std::lock_guard lock(mutex_);
    return count_free();
}

bool work_queue::leases_had_turn() const {
    const std::lock_guard lock(mutex_);
    return leases_had_turn_;
}

void work_queue::request_free_thread(bool requested) {
    {
        const std::lock_guard lock(mutex_);
        requested_ = requested;
        notify_free_thread();
    }
    changed_.notify_one();
}

std::vector<slice> work_queue::withdraw(const held_batch* of) {
    const std::lock_guard lock(mutex_);
    std::vector<slice> taken;
    for (auto* all : {&due_, &held_, &waiting_}) {
        std::deque<slice> kept;
        for (auto& one : *all) {
            if (of == nullptr || one.batch.get() == of) {
                taken.push_back(std::move(one));
            } else {
                kept.push_back(std::move(one));
            }
        }
        *all = std::move(kept);
    }
    return taken;
}

std::vector<slice> work_queue::withdraw_waiting(clock::time_point claimed_before, int most) {
    const std::lock_guard lock(mutex_);
    std::vector<slice> taken;
    for (auto* all : {&held_, &waiting_}) {
        std::deque<slice> kept;
        for (auto& one : *all) {
            const bool old = one.batch->claimed_at <= claimed_before;
            if (old && most > 0 && one.begin < one.end) {
                const int last = std::min(one.end - one.begin, most) + one.begin - 1;
                const int end = std::min(one.end, one.batch->order().end_of(last));
                taken.push_back({one.batch, one.begin, end});
                most -= end - one.begin;
                one.begin = end;
            }
            if (one.begin < one.end) {
                kept.push_back(std::move(one));
            }
        }
        *all = std::move(kept);
    }
    return taken;
}

clock::time_point work_queue::waiting_since() const {
    const std::lock_guard lock(mutex_);
    auto oldest = clock::time_point::max();
    for (const auto* all : {&held_, &waiting_}) {
        for (const auto& one : *all) {
            oldest = std::min(oldest, one.batch->claimed_at);
        }
    }
    return oldest;
}

int work_queue::held() const {
    const std::lock_guard lock(mutex_);
    int count = 0;
    for (const auto& one : held_) {
        count += one.end - one.begin;
    }
    return count;
}

void work_queue::open() {
    const std::lock_guard lock(mutex_);
    closed_ = false;
}

int work_queue::idle() const {
    const std::lock_guard lock(mutex_);
    return idle_;
}

void work_queue::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
}

}  // namespace postrider::working
