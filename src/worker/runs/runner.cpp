#include "worker/runs/runner.hpp"

#include <algorithm>

#include "base/fault_points.hpp"
#include "client/classify.hpp"
#include "client/sink/sink_scope.hpp"
#include "client/trace.hpp"

namespace postrider::working {

void runner::note(finished_slice& done, int index, const handler* by, outcome how,
                  clock::duration spent) {
    if (!how.ok()) {
        done.failures.push_back({index, by, client::reportable(std::move(how)), spent});
    }
}

outcome runner::not_started() { return {outcome_kind::interrupted, {}, {}, {}}; }
// A message that another worker may have, or that would outlive this one, is not started.
bool runner::may_begin(const held_batch& batch) const {
    return !batch.abandoned && !shared_.leaving &&
           (batch.is_lease() || clock::now() < batch.begin_before.load());
}

bool runner::is_behind_failure(const finished_slice& done, int index) {
    return !done.failures.empty() && done.failures.back().index == index - 1 &&
           done.range.batch->order().follows(index);
}

void runner::take_up(slice work) {
    const std::lock_guard lock(mutex_);
    slice_ = std::move(work);
    slice_first_ = slice_.begin;
    slice_began_ = clock::now();
    finished_early_ = 0;
}

finished_slice runner::run() {
    finished_slice done{slice_, {}, 0, {}};
    const client::sink_scope publishing(shared_.only_log ? nullptr : shared_.reports);
    while (const auto index = next_index()) {
        if (!may_begin(*done.range.batch) || done.range.batch->is_cancelled(*index) ||
            is_behind_failure(done, *index)) {
            note(done, *index, nullptr, not_started());
            continue;
        }
        try {
            run_message(*done.range.batch, *index, done);
        } catch (const std::exception& problem) {
            // An unreadable message must not end the process.
            note(done, *index, nullptr, transient(problem.what(), "unreadable_message"));
        }
    }
    if (!gathered_.empty()) {
        run_gathered(done);
    }
    done.range.end = put_down();
    done.spent = clock::now() - slice_began_;
    return early_.empty() ? done : without_early(std::move(done));
}

std::optional<int> runner::next_index() {
    const std::lock_guard lock(mutex_);
    return slice_.begin < slice_.end ? std::optional(slice_.begin++) : std::nullopt;
}

// Returns the end of the slice, which is earlier than planned when withdraw() removed the rest.
int runner::put_down() {
    const std::lock_guard lock(mutex_);
    slice_.batch.reset();
    return slice_.end;
}

std::optional<runner::load> runner::busy() const {
    const std::lock_guard lock(mutex_);
    return slice_.batch
               ? std::optional(load{slice_began_, slice_.end - slice_first_ - finished_early_})
               : std::nullopt;
}

std::optional<clock::time_point> runner::holding_since() const {
    const std::lock_guard lock(mutex_);
    return slice_.begin < slice_.end ? std::optional(slice_began_) : std::nullopt;
}

std::optional<slice> runner::withdraw(const held_batch* of) {
    const std::lock_guard lock(mutex_);
    if (slice_.begin == slice_.end || (of != nullptr && of != slice_.batch.get())) {
        return std::nullopt;
    }
    const slice rest = slice_;
    slice_.end = slice_.begin;
    return rest;
}

std::optional<slice> runner::withdraw_others() {
    const std::lock_guard lock(mutex_);
    if (slice_.begin == slice_.end) {
        return std::nullopt;
    }
    slice rest = slice_;
    rest.begin =
        slice_.begin > slice_first_ ? slice_.batch->order().end_of(slice_.begin - 1) : slice_.begin;
    if (rest.begin >= rest.end) {
        return std::nullopt;
    }
    slice_.end = rest.begin;
    return rest;
}

void runner::run_message(const held_batch& batch, int index, finished_slice& done) {
    const auto fields = batch.fields(index);
    event received(fields);
    if (batch.is_due()) {
        const auto due = batch.due(index);
        const auto* by = shared_.handlers.find(due.handler());
        const attempt which{due.attempts(), due.cycle(), {}};
        if (by == nullptr) {
            note(done, index, nullptr,
                 {outcome_kind::interrupted, "this worker has no such handler", "no_handler", {}});
        } else if (by->batch) {
            gather(*by, std::move(received), index, which, true);
        } else {
            run_one(*by, received, which, {batch, index}, done);
        }
        return;
    }
    const auto& handlers = routes_[received.event_type()];
    if (handlers.empty()) {
        // Another worker has registered a handler with other event types meanwhile.
        note(done, index, nullptr, {outcome_kind::interrupted, {}, {}, {}});
    }
    attempt first{.attempts = 1, .cycle = received.cycle()};
    if (batch.is_lease() && batch.from() == store::stream::log) {
        first.published = published_at(fields);
    }
    for (const auto* by : handlers) {
        if (by->batch) {
            gather(*by, event(fields), index, first, handlers.size() == 1);
        } else {
            run_one(*by, received, first, {batch, index}, done);
        }
    }
}

outcome runner::attempt_one(const handler& by, const event& event, attempt which, place at,
                            clock::duration& spent) {
    std::optional<trace_ids> trace;
    std::string traceparent;
    if (const auto received = event.trace_context()) {
        trace = client::continue_trace(*received);
        traceparent = trace ? client::traceparent(*trace) : std::string(*received);
    }
    const client::trace_scope scope(traceparent.empty() ? nullptr : &traceparent);
    const auto began = clock::now();
    const auto deadline = began + by.options.timeout;
    // One reference is captured, which a std::function stores without an allocation.
    const auto record_here = [&](job_progress made) { record(by, at, std::move(made)); };
    const std::function<void(std::size_t, job_progress)> recorder =
        [&record_here](std::size_t, job_progress made) { record_here(std::move(made)); };
    context ctx({.handler = by.name,
                 .attempts = which.attempts,
                 .cycle = which.cycle,
                 .deadline = deadline,
                 .stop = begin(by, deadline),
                 .trace_context = traceparent,
                 .record = &recorder});
    bool duplicate = false;
    outcome how;
    try {
        POSTRIDER_FAULT("worker.before_handler");
        if (shared_.around.empty()) {
            how = call(by, event, ctx, duplicate);
        } else {
            how = call_around(0, event, ctx, [&] { return call(by, event, ctx, duplicate); });
        }
        how = client::judged(std::move(how), by.options);
        POSTRIDER_FAULT("worker.after_handler");
    } catch (...) {
        const bool session_lost = by.transactional && !(session_ && session_->alive());
        how = client::classify(std::current_exception(), by.options, session_lost);
    }
    const auto run = counted(how, which, began);
    end(by, run);
    spent = run.spent;
    if (is_reported(how)) {
        report(by, event, {began, which, how, duplicate, trace});
    }
    return how;
}

outcome runner::call(const handler& by, const event& event, context& ctx, bool& duplicate) {
    return by.plain ? by.plain(event, ctx) : run_transactional(by, event, ctx, duplicate);
}

outcome runner::call_around(std::size_t depth, const event& event, context& ctx,
                            const std::function<outcome()>& innermost) {
    if (depth == shared_.around.size()) {
        return innermost();
    }
    return shared_.around[depth](event, ctx,
                                 [&] { return call_around(depth + 1, event, ctx, innermost); });
}

bool runner::all_cancelled() const {
    const auto& batch = *slice_.batch;
    // The message under way is the one before the next.
    return running_->batch ? std::ranges::all_of(running_batch_,
                                                 [&](int one) { return batch.is_cancelled(one); })
                           : batch.is_cancelled(slice_.begin - 1);
}

std::stop_token runner::begin(const handler& by, clock::time_point deadline,
                              std::span<const int> batch) {
    const std::lock_guard lock(mutex_);
    stop_ = std::stop_source();  // a token that outlives its run does not affect the next run
    running_ = &by;
    running_batch_ = batch;
    deadline_ = deadline;
    overdue_ = false;
    // A request made just before found no handler running.
    if (shared_.leaving || (slice_.batch && (slice_.batch->abandoned || all_cancelled()))) {
        stop_.request_stop();
    }
    return stop_.get_token();
}

void runner::end() {
    const std::lock_guard lock(mutex_);
    running_ = nullptr;
}

void runner::end(const handler& by, const counted_run& run) {
    const std::lock_guard lock(mutex_);
    running_ = nullptr;
    tally_.count(by, run);
}

counted_run runner::counted(const outcome& how, const attempt& which,
                            clock::time_point began) const {
    counted_run run{how.kind, which.attempts, clock::now() - began, {}};
    if (const auto ahead = shared_.database_clock.load(std::memory_order_relaxed);
        ahead != 0 && which.published) {
        using std::chrono::duration_cast;
        using std::chrono::microseconds;
        run.queued = duration_cast<microseconds>(began.time_since_epoch()) + microseconds(ahead) -
                     duration_cast<microseconds>(which.published->time_since_epoch());
    }
    return run;
}

run_tally runner::take_tally() {
    const std::lock_guard lock(mutex_);
    return std::exchange(tally_, {});
}

// Outside the lock: a handler's stop_callback runs in here.
void runner::request_stop(const held_batch* on) {
    const auto asked = [&] {
        const std::lock_guard lock(mutex_);
        const bool meant = running_ != nullptr && (on == nullptr || on == slice_.batch.get());
        return meant ? stop_ : std::stop_source(std::nostopstate);
    }();
    asked.request_stop();
}

void runner::request_stop(const held_batch* on, int index) {
    const auto asked = [&] {
        const std::lock_guard lock(mutex_);
        const bool meant = running_ != nullptr && on == slice_.batch.get() &&
                           (running_->batch ? std::ranges::count(running_batch_, index) > 0
                                            : index == slice_.begin - 1) &&
                           all_cancelled();
        return meant ? stop_ : std::stop_source(std::nostopstate);
    }();
    asked.request_stop();
}

std::optional<runner::overdue_run> runner::stop_overdue(clock::time_point now) {
    std::optional<overdue_run> found;
    const auto asked = [&] {
        const std::lock_guard lock(mutex_);
        if (running_ == nullptr || overdue_ || now < deadline_) {
            return std::stop_source(std::nostopstate);
        }
        overdue_ = true;
        found = {running_->name, slice_.batch.get()};
        return stop_;
    }();
    asked.request_stop();
    return found;
}

}  // namespace postrider::working
