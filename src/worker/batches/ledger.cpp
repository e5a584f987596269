#include "worker/batches/ledger.hpp"

#include <algorithm>

namespace postrider::working {
namespace {

// A lease is reported as a whole unless some of its messages take this much longer than others.
constexpr auto report_age = std::chrono::milliseconds(250);

store::outcome as_stored(outcome_kind kind) {
    switch (kind) {
        case outcome_kind::delivered:
            return store::outcome::delivered;
        case outcome_kind::transient:
            return store::outcome::transient;
        case outcome_kind::terminal:
            return store::outcome::terminal;
        case outcome_kind::snooze:
            return store::outcome::snooze;
        case outcome_kind::interrupted:
            break;
    }
    return store::outcome::interrupted;
}

std::optional<std::chrono::microseconds> if_run(clock::duration spent) {
    return spent == clock::duration::zero()
               ? std::nullopt
               : std::optional(std::chrono::duration_cast<std::chrono::microseconds>(spent));
}

std::optional<std::string> if_any(std::string text) {
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

store::failure as_failure(std::int64_t seq, run_failure from) {
    return {.seq = seq,
            .how = as_stored(from.how.kind),
            .handler = from.by == nullptr ? std::nullopt : std::optional(from.by->name),
            .error = if_any(std::move(from.how.error)),
            .error_class = if_any(std::move(from.how.error_class)),
            .delay = from.how.delay,
            .duration = if_run(from.spent),
            .earlier = std::move(from.earlier)};
}

store::delivery_outcome as_outcome(const store::due_delivery& of, run_failure from) {
    return {.delivery_id = of.delivery_id(),
            .lease_token = of.lease_token(),
            .how = as_stored(from.how.kind),
            .error = if_any(std::move(from.how.error)),
            .error_class = if_any(std::move(from.how.error_class)),
            .delay = from.how.delay,
            .duration = if_run(from.spent)};
}

}  // namespace

std::vector<std::shared_ptr<held_batch>>& ledger::list_of(const held_batch& batch) {
    return batch.is_lease() ? leases_ : batch.is_due() ? dues_ : received_;
}

int& ledger::count_of(const held_batch& batch) {
    return batch.is_lease() ? leased_ : batch.is_due() ? due_ : received_count_;
}

void ledger::hold(const std::shared_ptr<held_batch>& batch) {
    list_of(*batch).push_back(batch);
    count_of(*batch) += batch->size();
}

void ledger::finish(held_batch& batch, int count) {
    batch.unfinished -= count;
    count_of(batch) -= count;
    if (batch.unfinished == 0 && (batch.is_due() || batch.lost)) {
        std::erase_if(list_of(batch), [&](const auto& one) { return one.get() == &batch; });
    }
}

void ledger::absorb(finished_slice done, clock::time_point now) {
    auto& batch = *done.range.batch;
    const int count = done.range.end - done.range.begin;
    if (count == 0) {
        return;  // withdraw() took all of its messages
    }
    if (batch.lost) {
        finish(batch, count);
        return;
    }
    if (batch.is_due()) {
        absorb_due(batch, done);
    } else {
        absorb_lease(batch, done, now);
    }
    finish(batch, count);
}

void ledger::absorb_lease(held_batch& batch, finished_slice& done, clock::time_point now) {
    if (!batch.has_reports()) {
        batch.oldest_report = now;
    }
    last_end_ = now;
    batch.finished.push_back({done.range.begin, done.range.end});
    for (auto& failure : done.failures) {
        const auto seq = batch.seq(failure.index);
        batch.failures.push_back(as_failure(seq, std::move(failure)));
    }
}

// A delivery has one handler, so at most one failure.
void ledger::absorb_due(held_batch& batch, finished_slice& done) {
    batch.finished.push_back({done.range.begin, done.range.end});
    std::vector<run_failure> outcomes(static_cast<std::size_t>(done.range.end - done.range.begin));
    for (auto& failure : done.failures) {
        outcomes[static_cast<std::size_t>(failure.index - done.range.begin)] = std::move(failure);
    }
    for (int index = done.range.begin; index < done.range.end; ++index) {
        due_reports_.push_back(
            as_outcome(batch.due(index),
                       std::move(outcomes[static_cast<std::size_t>(index - done.range.begin)])));
    }
}

void ledger::give_back(const slice& range, clock::time_point now) {
    finished_slice done{range, {}, 0, {}};
    for (int index = range.begin; index < range.end; ++index) {
        done.failures.push_back({index, nullptr, {outcome_kind::interrupted, {}, {}, {}}});
    }
    absorb(std::move(done), now);
}

std::vector<std::shared_ptr<held_batch>> ledger::reports(clock::time_point now, bool all) const {
    std::vector<std::shared_ptr<held_batch>> ready;
    for (const auto& batch : leases_) {
        if (!batch->lost && batch->has_reports() &&
            (all || batch->unfinished == 0 || now >= batch->oldest_report + report_age)) {
            ready.push_back(batch);
        }
    }
    return ready;
}

clock::time_point ledger::next_report() const {
    auto next = clock::time_point::max();
    for (const auto& batch : leases_) {
        if (!batch->lost && batch->has_reports()) {
            next = std::min(next, batch->oldest_report + report_age);
        }
    }
    return next;
}

void ledger::reported(const std::shared_ptr<held_batch>& of) {
    of->finished.clear();
    of->failures.clear();
    if (of->unfinished == 0) {
        std::erase(list_of(*of), of);
    }
}

void ledger::overdue(const held_batch* batch) {
    for (const auto* all : {&leases_, &received_}) {
        for (const auto& one : *all) {
            one->overdue = one->overdue || one.get() == batch;
        }
    }
}

void ledger::lost(const std::shared_ptr<held_batch>& batch) {
    batch->lost = true;
    batch->finished.clear();
    batch->failures.clear();
    if (batch->unfinished == 0) {
        std::erase(leases_, batch);
    }
}

int ledger::waited() const {
    int count = 0;
    for (const auto& batch : leases_) {
        count += batch->from() == store::stream::waiting ? batch->unfinished : 0;
    }
    return count;
}

bool ledger::running_alone() const {
    return std::ranges::any_of(dues_, [](const auto& batch) { return batch->alone; });
}

std::vector<std::int64_t> ledger::lease_ids() const {
    std::vector<std::int64_t> ids;
    for (const auto& batch : leases_) {
        if (!batch->lost) {
            ids.push_back(batch->lease().id);
        }
    }
    return ids;
}

std::vector<std::int64_t> ledger::delivery_ids() const {
    std::vector<std::int64_t> ids;
    for (const auto& batch : dues_) {
        for (int index = 0; index < batch->size(); ++index) {
            const bool finished = std::ranges::any_of(batch->finished, [&](const auto& part) {
                return part.begin <= index && index < part.end;
            });
            if (!finished) {
                ids.push_back(batch->due(index).delivery_id());
            }
        }
    }
    for (const auto& report : due_reports_) {
        ids.push_back(report.delivery_id);
    }
    return ids;
}

}  // namespace postrider::working
