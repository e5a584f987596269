// Batch handlers: the events of a slice are gathered per handler and run in groups of batch_max.
#include <algorithm>

#include "base/fault_points.hpp"
#include "client/classify.hpp"
#include "client/trace.hpp"
#include "worker/runner.hpp"

namespace postrider::working {

void runner::gather(const handler& by, event what, int index, attempt which) {
    auto found = std::ranges::find(gathered_, &by, &gathered::by);
    if (found == gathered_.end()) {
        gathered_.push_back({&by, {}, {}, {}});
        found = std::prev(gathered_.end());
    }
    found->events.push_back(std::move(what));
    found->indexes.push_back(index);
    found->highest = {std::max(found->highest.attempts, which.attempts),
                      std::max(found->highest.cycle, which.cycle)};
}

void runner::run_gathered(finished_slice& done) {
    for (auto& group : std::exchange(gathered_, {})) {
        const auto most = static_cast<std::size_t>(group.by->options.batch_max);
        for (std::size_t from = 0; from < group.events.size(); from += most) {
            const auto count = std::min(most, group.events.size() - from);
            if (may_begin(*done.what.batch)) {
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
    const auto events = std::span<const event>(group.events).subspan(from, count);
    const auto began = clock::now();
    const auto deadline = began + group.by->options.timeout;
    context ctx({.handler = group.by->name,
                 .attempts = group.highest.attempts,
                 .cycle = group.highest.cycle,
                 .deadline = deadline,
                 .stop = begin(*group.by, deadline)});
    std::vector<outcome> outcomes;
    try {
        POSTRIDER_FAULT("worker.before_handler");
        outcomes = group.by->batch(events, ctx);
        POSTRIDER_FAULT("worker.after_handler");
        for (auto& how : outcomes) {
            how = client::judged(std::move(how), group.by->options);
        }
        if (outcomes.size() != count) {
            outcomes.assign(count,
                            transient("the batch handler gave " + std::to_string(outcomes.size()) +
                                          " outcomes for " + std::to_string(count) + " events",
                                      "outcomes_missing"));
        }
    } catch (...) {
        outcomes.assign(count, client::classify(std::current_exception(), group.by->options));
    }
    end();
    for (std::size_t i = 0; i < count; ++i) {
        if (is_reported(outcomes[i])) {
            const auto trace = client::continue_trace(events[i].trace_context().value_or(""));
            report(*group.by, events[i], {began, group.highest, outcomes[i], false, trace});
        }
        note(done, group.indexes[from + i], group.by, std::move(outcomes[i]));
        ++done.runs;
    }
}

}  // namespace postrider::working
