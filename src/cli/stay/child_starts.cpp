// Starts of children, their hello and their end.
#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "cli/stay/child_host.hpp"

namespace postrider::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto first_pause = 100ms;
constexpr std::chrono::milliseconds longest_pause = 30s;
constexpr std::size_t suspected_max = 1000;

std::chrono::milliseconds pause_after(int failures) {
    return std::min<std::chrono::milliseconds>(first_pause * (1 << std::min(failures, 10)),
                                               longest_pause);
}

}  // namespace

void child_host::start_due(clock::time_point now) {
    for (auto& at : slots_) {
        if (!at.process && !stopping_ && now >= at.start_at) {
            start_one(at, now);
        }
    }
}

void child_host::start_one(slot& at, clock::time_point now) {
    const auto log = [this, number = at.number](std::string_view line) {
        if (settings_.stderr_line) {
            settings_.stderr_line(number, line);
        }
    };
    try {
        at.ready = false;
        auto process = std::make_unique<child>(
            child::settings{.arguments = settings_.arguments,
                            .environment = settings_.environment,
                            .hello = {.consumer = settings_.consumer,
                                      .handler = settings_.handler,
                                      .child = at.number,
                                      .in_flight_max = settings_.in_flight_max,
                                      .timeout = settings_.timeout},
                            .log = log},
            *running_);
        if (process->started()) {
            at.process = std::move(process);
        } else {
            at.start_at = clock::time_point::max();  // a second signal killed the others
        }
    } catch (const std::system_error& problem) {
        at.start_at = now + pause_after(at.failures++);
        fail_start(problem.what());
        settings_.report(
            level::error, "child_failed",
            fmt::format("child {} could not be started: {}", at.number, problem.what()));
    }
}

// The first hello lets the worker begin.
void child_host::announce(slot& at) {
    if (at.ready || !at.process->hello()) {
        return;
    }
    at.ready = true;
    settings_.report(level::info, "child_started",
                     fmt::format("child {} is process {}", at.number, at.process->process()));
    {
        const std::lock_guard lock(mutex_);
        if (hello_) {
            return;
        }
        hello_ = at.process->hello();
    }
    started_.set();
}

void child_host::fail_start(std::string text) {
    {
        const std::lock_guard lock(mutex_);
        if (hello_ || start_failure_) {
            return;
        }
        start_failure_ = std::move(text);
    }
    started_.set();
}

// A message that has crashed a child runs alone from now on. The set is bounded and cleared when it
// is full; a message removed from it may crash another child before it runs alone.
void child_host::suspect(const std::string& message_id) {
    if (suspected_.size() >= suspected_max) {
        suspected_.clear();
    }
    suspected_.insert(message_id);
}

void child_host::bury(slot& at, clock::time_point now) {
    const bool answered = at.process->has_answered();
    const bool said_hello = at.process->hello().has_value();
    auto end = at.process->reap();
    at.process.reset();
    at.failures = answered ? 0 : at.failures + 1;
    const auto pause = pause_after(std::max(at.failures - 1, 0));
    at.start_at = now + pause;
    if (!said_hello) {
        fail_start("the child ended before its hello: " + end.how.error);
    }
    for (const auto& one : end.charged) {
        if (end.how.error_class != "timeout") {
            suspect(one->id);
        }
        one->batch->complete(*one, end.how);
    }
    for (const auto& one : end.interrupted) {
        one->batch->complete(*one, {outcome_kind::interrupted, end.text, "stopped", {}});
    }
    for (auto& one : end.suspects) {
        one->alone = true;
        alone_.push_back(std::move(one));
    }
    waiting_.insert(waiting_.begin(), std::make_move_iterator(end.uncharged.begin()),
                    std::make_move_iterator(end.uncharged.end()));
    if (stopping_) {
        interrupt_waiting("stopped before it finished");
    } else {
        settings_.report(
            level::warning, "child_ended",
            fmt::format("child {} {}; messages charged: {}, run again: {}; starts again in {:g} s",
                        at.number, end.text, end.charged.size(),
                        end.suspects.size() + end.uncharged.size(),
                        std::chrono::duration<double>(pause).count()));
    }
}

}  // namespace postrider::cli
