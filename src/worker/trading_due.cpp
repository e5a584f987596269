// What the coordinator claims and reports of what is due.
#include <algorithm>

#include "base/fault_points.hpp"
#include "store/deliveries.hpp"
#include "worker/coordinator.hpp"

namespace postrider::working {
namespace {

constexpr auto due_question_every = std::chrono::milliseconds(100);
// How long to wait, at first, for everything to finish so that something can run alone.
constexpr auto quiesce_time = std::chrono::seconds(1);

}  // namespace

bool coordinator::report_due() {
    if (ledger_.due_reports().empty()) {
        return false;
    }
    const auto began = clock::now();
    const auto watched = watch(session());
    POSTRIDER_FAULT("worker.before_settle");
    for (const auto& [delivery, result] :
         store::settle_due(session(), id_, ledger_.due_reports())) {
        due_stale_ = due_stale_ || result == store::delivery_result::pending;
        if (result == store::delivery_result::failed) {
            expect_alerts();
        }
    }
    ledger_.due_reported();
    POSTRIDER_FAULT("worker.after_settle");
    measure("settle_due", began);
    return true;
}

void coordinator::refresh_due(clock::time_point now) {
    const auto watched = watch(session());
    const auto left = store::next_due(session(), id_);
    next_due_ = left ? std::optional(clock::now() + *left) : std::nullopt;
    due_stale_ = false;
    next_due_question_ = now + due_question_every;
}

// A due delivery is charged with a crash of its worker from its claim on: none is claimed that
// would wait for a thread.
void coordinator::take_due(clock::time_point now) {
    if (stopping_ || ledger_.running_alone()) {
        wish_for_hand(false);
        return;
    }
    if (due_stale_ && now >= next_due_question_) {
        refresh_due(now);
        now = clock::now();
    }
    const bool idle = ledger_.in_hand() == 0;
    if (quiesce_ && !idle) {
        wish_for_hand(false);
        quiesce(now, idle);
        return;
    }
    if (!next_due_ || now < *next_due_) {
        wish_for_hand(false);
        quiesce_ = false;
        return;
    }
    const int room = crew_->free_hands();
    if (room <= 0) {
        wish_for_hand(true);
        return;
    }
    if (!dry_ && crew_->owes_leases_a_turn()) {
        return;  // what is finished makes room, for a lease first
    }
    if (const int got = claim_due(room, idle); got > 0) {
        if (std::exchange(quiesce_, false)) {
            quiesce_for_ = {};
            next_quiesce_ = now + quiesce_time;
        }
        due_stale_ = got < room;
        return;
    }
    refresh_due(now);
    if (next_due_ && *next_due_ <= clock::now()) {
        // Something is due that we may not have. Either it must run alone, or somebody else has it
        // in hand, or the consumer is paused.
        next_due_ = now + std::chrono::seconds(1);
        quiesce(now, idle);
        return;
    }
    quiesce_ = false;
}

// Gives how many were claimed.
int coordinator::claim_due(int runs, bool alone) {
    const auto& handlers = crew_->environment().handlers;
    const auto watched = watch(session());
    const auto began = clock::now();
    auto due =
        store::claim_due(session(), {.worker = id_,
                                     .limit = runs,
                                     .deadline = handlers.longest_timeout() + options_.heartbeat_timeout,
                                     .alone = alone,
                                     .batches = due_batches_});
    measure("claim_due", began);
    const int got = due.size();
    wish_for_hand(false);
    if (got == 0) {
        return 0;
    }
    POSTRIDER_FAULT("worker.after_claim");
    const auto held = std::make_shared<held_batch>(std::move(due));
    held->begin_before = began + options_.heartbeat_timeout / 2;
    ledger_.hold(held);
    std::vector<slice> slices;
    for (int begin = 0; begin < got; begin = slices.back().end) {
        slices.push_back({held, begin, held->end_of_run(begin, handlers)});
    }
    crew_->push_due(slices);
    return got;
}

void coordinator::wish_for_hand(bool wished) {
    if (wished_ != wished) {
        wished_ = wished;
        crew_->wish_for_hand(wished);
    }
}

// Lets everything finish so that something can run alone; not for ever, when handlers take long,
// and not more than half of the time.
void coordinator::quiesce(clock::time_point now, bool idle) {
    if (idle) {
        quiesce_ = false;
    } else if (quiesce_ && now >= quiesce_over_) {
        quiesce_ = false;
        next_quiesce_ = now + quiesce_for_;
    } else if (!quiesce_ && now >= next_quiesce_) {
        quiesce_for_ = std::clamp<clock::duration>(
            quiesce_for_ * 2, quiesce_time,
            std::max<clock::duration>(crew_->environment().handlers.longest_timeout(),
                                      quiesce_time));
        quiesce_over_ = now + quiesce_for_;
        next_due_ = now;
        quiesce_ = true;
    }
}

}  // namespace postrider::working
