#include "cli/stay/child_host.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <postrider/error.hpp>
#include <thread>

namespace postrider::cli {
namespace {

// Messages are not held for longer than this while no child runs.
constexpr auto without_child_max = std::chrono::seconds(5);
constexpr auto cancelled_interval = std::chrono::seconds(1);
// A line of messages ends with the message that reaches it.
constexpr std::size_t line_bytes = std::size_t{1} << 20U;
// Limits of the time for which answers gather before the host reads them.
constexpr auto gather_max = std::chrono::microseconds(300);
constexpr auto gather_min = std::chrono::microseconds(60);

outcome not_begun(const char* why, std::optional<std::chrono::milliseconds> delay = {}) {
    return {outcome_kind::interrupted, why, "stopped", delay};
}

}  // namespace

child_host::child_host(settings chosen, std::shared_ptr<running_commands> running)
    : settings_(std::move(chosen)), running_(std::move(running)) {
    for (int number = 1; number <= settings_.children; ++number) {
        slots_.push_back({.number = number});
    }
}

std::optional<child_hello> child_host::start(int instead) {
    thread_ = std::jthread([this] { work(); });
    std::array<pollfd, 2> sources{pollfd{started_.descriptor(), POLLIN, 0},
                                  pollfd{instead, POLLIN, 0}};
    while (::poll(sources.data(), sources.size(), -1) < 0 && errno == EINTR) {
    }
    const std::lock_guard lock(mutex_);
    if (start_failure_) {
        throw usage_error("--stay: " + *start_failure_);
    }
    return hello_;
}

std::vector<outcome> child_host::handle(std::span<const event> events, postrider::context& run) {
    const auto batch = std::make_shared<run_batch>(events, run);
    {
        const std::lock_guard lock(mutex_);
        for (auto& one : batch->runs()) {
            if (close_) {
                batch->complete(one, not_begun("the children have ended"));
            } else {
                submitted_.push_back(run_ref(batch, &one));
            }
        }
    }
    wake_.set();
    const std::stop_callback on_stop(run.stop_token(), [&] {
        batch->stop_requested = true;
        stop_requests_ = true;
        wake_.set();
    });
    return batch->wait(run);
}

void child_host::begin_stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.set();
}

void child_host::close() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        close_ = true;
    }
    wake_.set();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void child_host::work() {
    child_seen_ = clock::now();
    for (;;) {
        auto now = clock::now();
        take_submitted();
        start_due(now);
        take_stop_requests(now);
        if (over()) {
            break;
        }
        assign(now);
        give_back_without_child(now);
        wait(now);
        now = clock::now();
        for (auto& at : slots_) {
            if (at.process) {
                at.process->act(now);
            }
        }
    }
    take_submitted();
    interrupt_waiting("the children have ended");
}

bool child_host::over() const {
    return closing_ && std::ranges::none_of(slots_, [](const slot& at) { return !!at.process; });
}

void child_host::take_submitted() {
    std::vector<run_ref> taken;
    {
        const std::lock_guard lock(mutex_);
        taken.swap(submitted_);
        if (stop_ && !stopping_) {
            stopping_ = true;
            for (auto& at : slots_) {
                if (at.process) {
                    at.process->notify_stop();
                }
            }
        }
        closing_ = closing_ || close_;
    }
    for (auto& one : taken) {
        one->alone = suspected_.contains(one->id);
        (one->alone ? alone_ : waiting_).push_back(std::move(one));
    }
    if (stopping_) {
        interrupt_waiting("stopped before it began");
    }
}

void child_host::interrupt_waiting(const char* why,
                                   std::optional<std::chrono::milliseconds> delay) {
    for (auto* all : {&waiting_, &alone_}) {
        for (const auto& one : *all) {
            one->batch->complete(*one, not_begun(why, delay));
        }
        all->clear();
    }
}

// Ends runs whose lease is lost, that were cancelled, or whose shutdown timeout has passed.
void child_host::take_stop_requests(clock::time_point now) {
    if (closing_) {
        for (auto& at : slots_) {
            if (at.process && at.process->unanswered() > 0) {
                at.process->interrupt(now);
            } else if (at.process) {
                at.process->close(now);
            }
        }
    }
    // A cancelled message is visible only in the context of its run, so this polls.
    if (!stop_requests_.exchange(false) && now < look_for_cancelled_) {
        return;
    }
    look_for_cancelled_ = now + cancelled_interval;
    for (auto* all : {&waiting_, &alone_}) {
        std::erase_if(*all, [](const run_ref& one) {
            const bool stopped = one->batch->stopped(*one);
            if (stopped) {
                one->batch->complete(*one, not_begun("stopped before it began"));
            }
            return stopped;
        });
    }
    for (auto& at : slots_) {
        if (at.process && at.process->cancel_stopped_runs() && stopping_) {
            at.process->interrupt(now);
        }
    }
}

// The child with the fewest unanswered messages; unless `any`, only one with room for another.
child* child_host::least_busy(const child* except, bool any) const {
    child* best = nullptr;
    for (const auto& at : slots_) {
        auto* one = at.process.get();
        if (one != nullptr && one != except && one->hello() && (any || one->room() > 0) &&
            (best == nullptr || one->unanswered() < best->unanswered())) {
            best = one;
        }
    }
    return best;
}

void child_host::assign(clock::time_point now) {
    // A suspect waits until one child, which gets no other messages, has none left; the others go
    // on.
    const child* reserved = nullptr;
    if (!alone_.empty()) {
        auto* chosen = least_busy(nullptr, true);
        if (chosen != nullptr && chosen->unanswered() == 0 && chosen->room() > 0) {
            chosen->send({std::move(alone_.front())}, next_number_, now);
            alone_.pop_front();
        }
        reserved = chosen;
    }
    const auto children = static_cast<std::size_t>(settings_.children);
    while (!waiting_.empty()) {
        auto* chosen = least_busy(reserved, false);
        if (chosen == nullptr) {
            return;
        }
        const auto share = (waiting_.size() + children - 1) / children;
        const auto most = std::min(share, chosen->room());
        std::vector<run_ref> runs;
        std::size_t bytes = 0;
        while (runs.size() < most && bytes < line_bytes) {
            bytes += waiting_.front()->message.size();
            runs.push_back(std::move(waiting_.front()));
            waiting_.pop_front();
        }
        chosen->send(runs, next_number_, now);
    }
}

void child_host::give_back_without_child(clock::time_point now) {
    if (least_busy(nullptr, true) != nullptr) {
        child_seen_ = now;
    } else if (now - child_seen_ >= without_child_max) {
        interrupt_waiting("no child is running", std::chrono::seconds(1));
    }
}

// Waking up for each answer would take processor time from the children. While all busy children
// have messages ahead, their answers are read together.
void child_host::let_answers_gather() const {
    std::chrono::duration<double> shortest = std::chrono::hours(1);
    for (const auto& at : slots_) {
        if (at.process && at.process->unanswered() > 0) {
            shortest = std::min(shortest, at.process->work_ahead() / 2);
        }
    }
    if (shortest >= gather_min && shortest < std::chrono::hours(1)) {
        std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(shortest, gather_max));
    }
}

void child_host::wait(clock::time_point now) {
    let_answers_gather();
    auto next = waiting_.empty() && alone_.empty() ? now + std::chrono::minutes(1)
                                                   : now + std::chrono::seconds(1);
    std::vector<pollfd> sources{{wake_.descriptor(), POLLIN, 0}};
    std::vector<slot*> of;
    for (auto& at : slots_) {
        if (at.process) {
            next = std::min(next, at.process->next_at());
            if (at.process->unanswered() > 0) {
                next = std::min(next, look_for_cancelled_);
            }
            at.process->add_sources(sources);
            of.push_back(&at);
        } else if (!stopping_) {
            next = std::min(next, at.start_at);
        }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - now).count();
    const auto timeout_ms = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    if (::poll(sources.data(), sources.size(), timeout_ms) > 0) {
        if (sources[0].revents != 0) {
            wake_.clear();
        }
        handle_sources(sources, of);
    }
}

void child_host::handle_sources(const std::vector<pollfd>& sources, const std::vector<slot*>& of) {
    const auto now = clock::now();
    for (std::size_t i = 0; i < of.size(); ++i) {
        auto& at = *of[i];
        const bool ended = at.process->handle(&sources[1 + (i * child::source_count)], now);
        announce(at);
        if (ended) {
            bury(at, now);
        }
    }
}

}  // namespace postrider::cli
