#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <postrider/event.hpp>
#include <postrider/outcome.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "store/work/deliveries.hpp"
#include "store/work/exchange.hpp"
#include "worker/batches/chains.hpp"
#include "worker/runs/handlers.hpp"
#include "worker/sources/received_batch.hpp"

namespace postrider::working {

using clock = std::chrono::steady_clock;

/// A handler's run that was not delivered.
struct run_failure {
    int index = 0;
    const handler* by = nullptr;  ///< null: no handler ran
    outcome how = {};
    clock::duration spent = {};                    ///< zero: no handler ran
    std::vector<store::earlier_run> earlier = {};  ///< that immediate retries followed
};

/// Messages claimed together and held until each is reported: a lease over the log, due deliveries,
/// or messages from a broker. Read by runners, changed only by the coordinator.
class held_batch {
  public:
    held_batch(store::stream from, store::claimed_batch lease);
    explicit held_batch(store::due_batch due);
    explicit held_batch(received_batch received);

    int size() const { return size_; }
    bool is_lease() const { return std::holds_alternative<store::claimed_batch>(rows_); }
    bool is_due() const { return std::holds_alternative<store::due_batch>(rows_); }
    received_batch& received() { return std::get<received_batch>(rows_); }
    store::stream from() const { return from_; }  ///< of a lease
    const store::lease_ref& lease() const {
        return std::get<store::claimed_batch>(rows_).held_lease();
    }
    /// Identifies a message in reports: in the log, or in the batch if it is from a broker.
    std::int64_t seq(int index) const {
        return is_lease() ? std::get<store::claimed_batch>(rows_)[index].seq() : index;
    }
    store::due_delivery due(int index) const { return std::get<store::due_batch>(rows_)[index]; }
    event_fields fields(int index) const;
    /// The message's own; empty: the handler's. Of a lease.
    std::optional<int> max_attempts(int index) const {
        return std::get<store::claimed_batch>(rows_)[index].max_attempts();
    }

    /// Whether a message goes to a batch handler together with its neighbours.
    bool in_batches(int index) const {
        return !in_batches_.empty() && in_batches_[static_cast<std::size_t>(index)];
    }
    /// Determines in_batches(). Call it before the batch goes to the pool.
    void look_for_batches(const handler_table& handlers);
    /// End of the run that begins with this delivery: a batch handler takes several in one run.
    int end_of_run(int index, const handler_table& handlers) const;

    /// Determines order(). Call it before the batch goes to the pool.
    void look_for_chains() { order_.find(std::get<store::claimed_batch>(rows_)); }
    const chains& order() const { return order_; }

    /// Progress, kept by the ledger.
    struct range {
        int begin;
        int end;
    };
    int unfinished = 0;                 ///< messages neither finished nor released
    bool lost = false;                  ///< another worker has it: nothing is reported
    bool overdue = false;               ///< a handler exceeds its timeout: no more extensions
    bool alone = false;                 ///< no other message may run at the same time
    clock::time_point claimed_at = {};  ///< set before it goes to the pool
    clock::time_point deadline = {};
    /// Deliveries, and messages from a broker, that have not started by then must not start:
    /// another worker may get them. Set before they go to the pool. Runners read it, too.
    std::atomic<clock::time_point> begin_before = clock::time_point::max();
    /// Messages that have not started must not start. Runners read it, too.
    std::atomic<bool> abandoned = false;
    /// A message that was cancelled must not start. Runners read it, too.
    void cancel(int index);
    bool is_cancelled(int index) const;
    std::vector<range> finished;  ///< not reported yet; for due deliveries also reported ones
    std::vector<store::failure> failures;  ///< among them
    clock::time_point oldest_report = {};  ///< when the first of them was finished
    bool has_reports() const { return !finished.empty(); }
    /// The seqs of a lease that are to be reported and are not among the failures.
    std::vector<std::int64_t> delivered() const;

  private:
    std::string_view event_type(int index) const;
    bool goes_to_batch(int index, const handler_table& handlers) const;

    std::variant<store::claimed_batch, store::due_batch, received_batch> rows_;
    store::stream from_ = store::stream::log;
    int size_;
    std::vector<bool> in_batches_;  ///< empty without batch handlers
    chains order_;
    std::atomic<bool> some_cancelled_ = false;
    mutable std::mutex mutex_;    ///< guards cancelled_
    std::vector<int> cancelled_;  ///< mostly empty
};

/// Part of a batch that one thread runs.
struct slice {
    std::shared_ptr<held_batch> batch;
    int begin = 0;
    int end = 0;
};

/// The result of a slice.
struct finished_slice {
    slice range;
    std::vector<run_failure> failures;
    int runs = 0;
    clock::duration spent = {};  ///< zero: a part of a slice that is still under way
};

}  // namespace postrider::working
