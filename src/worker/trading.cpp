// What the coordinator claims of the log and reports of its leases.
#include <algorithm>
#include <postrider/error.hpp>

#include "base/fault_points.hpp"
#include "pg/pipeline.hpp"
#include "store/settle.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

// See linger().
constexpr auto linger_first = std::chrono::milliseconds(1);

// A handler that was registered anew with other event types is no longer owed what it ran for.
bool is_refusal(const error& problem) { return problem.code() == errc::handler_not_found; }

}  // namespace

// How many messages to claim now. Next to a report a claim costs little; alone it should be worth
// its while.
int coordinator::wanted(bool reporting) const {
    if (stopping_ || dry_ || quiesce_ || ledger_.running_alone()) {
        return 0;
    }
    const int target = pace_.target(stuck_.threads);
    const int room = std::min(target - (ledger_.in_hand() - stuck_.messages),
                              options_.in_flight_max - ledger_.in_hand());
    if (room <= 0 || (!reporting && room < std::min(options_.batch_max, (target + 1) / 2))) {
        return 0;
    }
    return std::min(room, options_.batch_max);
}

// `reported`: due deliveries were, so there is room that the log gets offered first.
void coordinator::trade(clock::time_point now, bool reported) {
    const auto reports = ledger_.reports(now, stopping_);
    const int limit = wanted(reported || !reports.empty());
    if (reports.empty() && limit == 0) {
        return;
    }
    const auto began = clock::now();
    const auto watched = watch(session());
    if (!reports.empty()) {
        POSTRIDER_FAULT("worker.before_settle");
    }
    if (reports.size() <= 1) {
        exchange_one(reports.empty() ? nullptr : reports.front(), limit);
    } else {
        exchange_many(reports, limit);
    }
    if (!reports.empty()) {
        POSTRIDER_FAULT("worker.after_settle");
    }
    measure("exchange", began);
}

store::exchange_request coordinator::request(const std::shared_ptr<held_batch>& report, int limit) {
    store::exchange_request asked{.worker = id_, .limit = limit};
    asked.deadline = crew_->environment().handlers.longest_timeout() + options_.heartbeat_timeout;
    if (report) {
        asked.lease = report->lease();
        asked.failures = report->failures;
        if (report->unfinished > 0) {
            seqs_ = report->delivered();
            asked.delivered = seqs_;
        }
    }
    return asked;
}

void coordinator::exchange_one(const std::shared_ptr<held_batch>& report, int limit) {
    try {
        take(store::exchange(session(), request(report, limit)), report, limit);
    } catch (const error& problem) {
        if (!report || !is_refusal(problem)) {
            throw;
        }
        report_singly(report);
    }
}

// All reports in one round trip, the last one with the claim. Each answer is taken whatever became
// of the others: what was claimed is ours to handle.
void coordinator::exchange_many(std::span<const std::shared_ptr<held_batch>> reports, int limit) {
    std::vector<std::shared_ptr<held_batch>> refused;
    std::exception_ptr failure;
    {
        pg::pipeline batch(session());
        for (const auto& report : reports) {
            const bool last = &report == &reports.back();
            batch.send_prepared(store::exchange_statement,
                                store::exchange_params(request(report, last ? limit : 0)),
                                pg::format::binary);
            batch.sync();
        }
        for (const auto& report : reports) {
            const bool last = &report == &reports.back();
            try {
                take(store::claimed_batch(batch.receive()), report, last ? limit : 0);
            } catch (const error& problem) {
                if (problem.connection_lost()) {
                    throw;
                }
                if (is_refusal(problem)) {
                    refused.push_back(report);
                } else {
                    failure = std::current_exception();
                }
            }
            batch.receive_sync();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
    for (const auto& report : refused) {
        report_singly(report);
    }
}

void coordinator::take(store::claimed_batch batch, const std::shared_ptr<held_batch>& report,
                       int limit) {
    if (report) {
        due_stale_ = due_stale_ || !report->failures.empty();
        if (!report->failures.empty()) {
            expect_alerts();
        }
        if (batch.settled() == store::settlement::lost_lease) {
            drop(report);
        } else {
            ledger_.reported(report);
        }
    }
    if (limit == 0) {
        return;
    }
    due_stale_ = due_stale_ || batch.parked() > 0;
    if (batch.empty()) {
        dry_ = batch.parked() == 0;
        due_stale_ = due_stale_ || std::exchange(rung_, false);
        return;
    }
    POSTRIDER_FAULT("worker.after_claim");
    const int got = batch.size();
    const auto held = std::make_shared<held_batch>(std::move(batch));
    held->look_for_batches(crew_->environment().handlers);
    const auto now = clock::now();
    held->claimed_at = now;
    held->deadline = now + crew_->environment().handlers.longest_timeout() + options_.heartbeat_timeout;
    ledger_.hold(held);
    doubt(now);  // the answer may have been long on its way
    crew_->push({held, 0, got});
    rung_ = false;
    look_soon_after_ = linger_first;
}

// One report in it was refused, which must not hold up the others.
void coordinator::report_singly(const std::shared_ptr<held_batch>& report) {
    auto done = report->delivered();
    for (const auto& failure : report->failures) {
        try {
            store::settle(session(), id_, report->lease(), std::span<const std::int64_t>{},
                          std::span(&failure, 1));
        } catch (const error& problem) {
            if (!is_refusal(problem)) {
                throw;
            }
            say(level::warning, "report_refused", problem.what());
            done.push_back(failure.seq);
        }
    }
    if (store::settle(session(), id_, report->lease(), std::span<const std::int64_t>(done)) ==
        store::settlement::lost_lease) {
        drop(report);
    } else {
        ledger_.reported(report);
    }
}

}  // namespace postrider::working
