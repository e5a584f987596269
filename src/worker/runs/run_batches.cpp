// Batch handlers: the events of a slice are gathered per handler and run in groups of batch_max.
#include <algorithm>

#include "base/fault_points.hpp"
#include "client/classify.hpp"
#include "client/trace.hpp"
#include "worker/runs/runner.hpp"

namespace postrider::working {

void runner::gather(const handler& by, event event, int index, attempt which, bool only) {
    // Without a batch_max all events of a run have the same number of attempts and cycle.
    const auto fits = [&](const gathered& group) {
        return group.by == &by && (by.in_batches() || (group.highest.attempts == which.attempts &&
                                                       group.highest.cycle == which.cycle));
    };
    auto found = std::ranges::find_if(gathered_, fits);
    if (found == gathered_.end()) {
        gathered_.push_back({&by, {}, {}, {}, which, {}});
        found = std::prev(gathered_.end());
    }
    found->events.push_back(std::move(event));
    found->indexes.push_back(index);
    found->attempts.push_back(which);
    found->highest = {std::max(found->highest.attempts, which.attempts),
                      std::max(found->highest.cycle, which.cycle)};
    found->only.push_back(only);
}

void runner::run_gathered(finished_slice& done) {
    for (auto& group : std::exchange(gathered_, {})) {
        const auto most = group.by->in_batches()
                              ? static_cast<std::size_t>(group.by->options.batch_max)
                              : group.events.size();
        for (std::size_t from = 0; from < group.events.size(); from += most) {
            const auto count = std::min(most, group.events.size() - from);
            if (may_begin(*done.range.batch)) {
                run_group(group, from, count, done);
                continue;
            }
            for (std::size_t i = from; i < from + count; ++i) {
                note(done, group.indexes[i], group.by, not_started());
            }
        }
    }
}

void runner::run_group(gathered& group, std::size_t from, std::size_t count, finished_slice& done) {
    const auto began = clock::now();
    const auto deadline = began + group.by->options.timeout;
    std::vector<bool> settled(count);
    const std::function<void(std::size_t, outcome)> early = [&](std::size_t i, outcome how) {
        if (i >= count || settled[i]) {
            return;
        }
        settled[i] = true;
        how = client::judged(std::move(how), group.by->options);
        if (!group.only[from + i]) {
            settle(group, from + i, began, std::move(how), done);
            return;
        }
        const int index = group.indexes[from + i];
        finished_slice one{{done.range.batch, index, index + 1}, {}, 0, {}};
        settle(group, from + i, began, std::move(how), one);
        finish_early(std::move(one));
    };
    const std::function<void(std::size_t, job_progress)> recorder = [&](std::size_t i,
                                                                        job_progress made) {
        if (i < count) {
            record(*group.by, {*done.range.batch, group.indexes[from + i]}, std::move(made));
        }
    };
    const std::function<bool(std::size_t)> cancelled = [&](std::size_t i) {
        return i < count && done.range.batch->is_cancelled(group.indexes[from + i]);
    };
    context ctx({.handler = group.by->name,
                 .attempts = group.highest.attempts,
                 .cycle = group.highest.cycle,
                 .deadline = deadline,
                 .stop = begin(*group.by, deadline,
                               std::span<const int>(group.indexes).subspan(from, count)),
                 .report = &early,
                 .record = &recorder,
                 .cancelled = &cancelled});
    auto outcomes =
        call_batch(group, std::span<const event>(group.events).subspan(from, count), ctx);
    end();
    for (std::size_t i = 0; i < count; ++i) {
        if (!settled[i]) {
            settle(group, from + i, began, std::move(outcomes[i]), done);
        }
    }
}

std::vector<outcome> runner::call_batch(const gathered& group, std::span<const event> events,
                                        context& ctx) const {
    const auto& options = group.by->options;
    std::vector<outcome> outcomes;
    try {
        POSTRIDER_FAULT("worker.before_handler");
        outcomes = group.by->batch(events, ctx);
        POSTRIDER_FAULT("worker.after_handler");
        for (auto& how : outcomes) {
            how = client::judged(std::move(how), options);
        }
        if (outcomes.size() != events.size()) {
            outcomes.assign(
                events.size(),
                transient("the batch handler gave " + std::to_string(outcomes.size()) +
                              " outcomes for " + std::to_string(events.size()) + " events",
                          "outcomes_missing"));
        }
    } catch (...) {
        outcomes.assign(events.size(), client::classify(std::current_exception(), options));
    }
    return outcomes;
}

void runner::settle(const gathered& group, std::size_t which, clock::time_point began, outcome how,
                    finished_slice& into) {
    const auto& event = group.events[which];
    const auto run = counted(how, group.attempts[which], began);
    {
        const std::lock_guard lock(mutex_);
        tally_.count(*group.by, run);
    }
    if (is_reported(how)) {
        const auto trace = client::continue_trace(event.trace_context().value_or(""));
        report(*group.by, event, {began, group.highest, how, false, trace});
    }
    note(into, group.indexes[which], group.by, std::move(how), run.spent);
    ++into.runs;
}

void runner::finish_early(finished_slice one) {
    early_.push_back(one.range.begin);
    {
        const std::lock_guard lock(mutex_);
        ++finished_early_;
    }
    shared_.finish(std::move(one));
}

// Finishes the ranges between the messages that were finished early, and returns the last one.
finished_slice runner::without_early(finished_slice done) {
    auto early = std::exchange(early_, {});
    std::ranges::sort(early);
    auto& rest = done.range.begin;
    for (const int index : early) {
        finished_slice part{{done.range.batch, rest, index}, {}, 0, {}};
        std::erase_if(done.failures, [&](run_failure& one) {
            const bool before = one.index < index;
            if (before) {
                part.failures.push_back(std::move(one));
            }
            return before;
        });
        rest = index + 1;
        if (part.range.begin < part.range.end) {
            shared_.finish(std::move(part));
        }
    }
    return done;
}

}  // namespace postrider::working
