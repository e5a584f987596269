#include "worker/crew.hpp"

#include <utility>

#include "worker/blocked_signals.hpp"

namespace postrider::working {

void crew::start() {
    const blocked_signals meanwhile;
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

work_queue::sizes crew::sizes() const {
    return {slice_size_, environment_.handlers.largest_batch()};
}

void crew::work(runner& hand) {
    while (auto next = queue_.take(sizes())) {
        finish(hand.run(std::move(*next)));
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

int crew::run_waiting() {
    if (runners_.empty()) {
        runners_.push_back(std::make_unique<runner>(environment_));
    }
    int runs = 0;
    while (auto next = queue_.try_take(sizes())) {
        auto done = runners_.front()->run(std::move(*next));
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
