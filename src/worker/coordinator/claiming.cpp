// Claims from the log and of messages that wait, and reports of leases: one round trip for both.
#include <algorithm>
#include <iterator>
#include <postrider/error.hpp>

#include "base/fault_points.hpp"
#include "pg/pipeline.hpp"
#include "store/work/settle.hpp"
#include "worker/coordinator/coordinator.hpp"

namespace postrider::working {
namespace {

// A handler that was registered again with other event types no longer owns its former messages.
bool is_refusal(const error& problem) { return problem.code() == errc::handler_not_found; }

/// `delivered` holds the sequence numbers that the request refers to.
store::exchange_request request(const worker_context& context, store::stream from,
                                const held_batch* report, int limit,
                                std::vector<std::int64_t>& delivered) {
    store::exchange_request asked{.worker = context.id,
                                  .limit = limit,
                                  .from = from,
                                  .log_is_empty = context.schedule.exhausted()};
    asked.deadline = context.lease_length();
    asked.ordered = context.is_ordered();
    if (context.keeps_order()) {
        asked.chain = context.speed.chain_size(limit);
    }
    if (report != nullptr) {
        asked.lease = report->lease();
        asked.failures = report->failures;
        if (report->unfinished > 0) {
            delivered = report->delivered();
            asked.delivered = delivered;
        }
    }
    return asked;
}

}  // namespace

// `reported`: due deliveries were reported, and the log gets the free threads first.
void coordinator::exchange(clock::time_point now, bool reported) {
    using store::stream;
    if (!context_.schedule.exhausted()) {
        context_.waiting.look();  // messages were published, and some of them may have to wait
    }
    const auto ready = context_.held.reports(now, context_.stopping);
    const auto of = [&](stream from) {
        reports chosen;
        std::ranges::copy_if(ready, std::back_inserter(chosen),
                             [&](const auto& one) { return one->from() == from; });
        return chosen;
    };
    // An idle worker was most likely woken for the log. A busy one has a backlog there: waiting
    // messages come first, so that they do not wait for it, and every tenth time the log does.
    // After a claim that only noted messages the log is first again: behind throttled messages may
    // be some of another key.
    constexpr int turns = 10;
    const bool log_first =
        context_.held.in_hand() == 0 || context_.schedule.noted_only() || ++turn_ % turns == 0;
    const auto waited = of(stream::waiting);
    if (!log_first) {
        exchange(stream::waiting, waited, waiting_limit(!waited.empty(), now));
    }
    const auto logged = of(stream::log);
    // The next messages of an ordering key wait for the report.
    const bool awaited = context_.is_ordered() && !logged.empty();
    if (context_.stopping || awaited || now >= context_.schedule.collects_until()) {
        exchange(stream::log, logged, log_limit(reported || !logged.empty(), now));
    }
    if (log_first) {
        exchange(stream::waiting, waited, waiting_limit(!waited.empty(), now));
    }
}

void coordinator::exchange(store::stream from, const reports& done, int limit) {
    if (done.empty() && limit == 0) {
        return;
    }
    const auto began = clock::now();
    const auto watched = context_.watch(context_.session());
    if (!done.empty()) {
        POSTRIDER_FAULT("worker.before_settle");
    }
    if (done.size() <= 1) {
        exchange_one(from, done.empty() ? nullptr : done.front(), limit);
    } else {
        exchange_many(from, done, limit);
    }
    if (!done.empty()) {
        POSTRIDER_FAULT("worker.after_settle");
    }
    context_.measure(from == store::stream::log ? "exchange" : "exchange_waiting", began);
}

void coordinator::exchange_one(store::stream from, const std::shared_ptr<held_batch>& report,
                               int limit) {
    try {
        std::vector<std::int64_t> delivered;
        accept(from,
               store::exchange(context_.session(),
                               request(context_, from, report.get(), limit, delivered)),
               report, limit);
    } catch (const error& problem) {
        if (!report || !is_refusal(problem)) {
            throw;
        }
        report_singly(report);
    }
}

// Sends all reports in one round trip, the last one with the claim. Each answer is accepted even if
// another report fails: the worker must handle every message it has claimed.
void coordinator::exchange_many(store::stream from, const reports& done, int limit) {
    std::vector<std::shared_ptr<held_batch>> refused;
    std::exception_ptr failure;
    {
        pg::pipeline batch(context_.session());
        for (const auto& report : done) {
            const bool last = &report == &done.back();
            std::vector<std::int64_t> delivered;
            batch.send_prepared(store::exchange_statement(from),
                                store::exchange_params(request(context_, from, report.get(),
                                                               last ? limit : 0, delivered)),
                                pg::format::binary);
            batch.sync();
        }
        for (const auto& report : done) {
            const bool last = &report == &done.back();
            try {
                accept(from, store::claimed_batch(batch.receive()), report, last ? limit : 0);
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

// Reports each failure in a call of its own: a refused one must not hold up the others.
void coordinator::report_singly(const std::shared_ptr<held_batch>& report) {
    auto& session = context_.session();
    auto done = report->delivered();
    for (const auto& failure : report->failures) {
        try {
            store::settle(session, context_.id, report->lease(), std::span<const std::int64_t>{},
                          std::span(&failure, 1));
        } catch (const error& problem) {
            if (!is_refusal(problem)) {
                throw;
            }
            context_.report(level::warning, "report_refused", problem.what());
            done.push_back(failure.seq);
        }
    }
    accept_report(
        store::settle(session, context_.id, report->lease(), std::span<const std::int64_t>(done)),
        report);
}

}  // namespace postrider::working
