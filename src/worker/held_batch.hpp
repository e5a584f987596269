#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <postrider/event.hpp>
#include <postrider/outcome.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "store/claim.hpp"
#include "store/deliveries.hpp"
#include "worker/handlers.hpp"

namespace postrider::working {

using clock = std::chrono::steady_clock;

/// A handler's run that was not delivered.
struct run_failure {
    int index;
    const handler* by;  ///< null: no handler ran
    outcome how;
};

/// Messages claimed together and held until each is reported: a lease over the log, or due
/// deliveries. Read by runners, changed by the coordinator alone.
class held_batch {
  public:
    explicit held_batch(store::claimed_batch lease);
    explicit held_batch(store::due_batch due);

    int size() const { return size_; }
    bool is_lease() const { return std::holds_alternative<store::claimed_batch>(rows_); }
    const store::lease_ref& lease() const {
        return std::get<store::claimed_batch>(rows_).held_lease();
    }
    std::int64_t seq(int index) const { return std::get<store::claimed_batch>(rows_)[index].seq(); }
    store::due_delivery due(int index) const { return std::get<store::due_batch>(rows_)[index]; }
    event_fields fields(int index) const;

    /// Whether batch handlers want a message of a lease together with its neighbours.
    bool in_batches(int index) const {
        return !in_batches_.empty() && in_batches_[static_cast<std::size_t>(index)];
    }
    /// Before it is handed out.
    void look_for_batches(const handler_table& handlers);
    /// Where the run ends that begins with this delivery: a batch handler has several in one.
    int end_of_run(int index, const handler_table& handlers) const;

    /// What became of it, noted by the ledger.
    struct range {
        int begin;
        int end;
    };
    int unfinished = 0;                 ///< messages neither run to the end nor given back
    bool lost = false;                  ///< no longer ours: nothing needs to be reported
    bool overdue = false;               ///< a handler of it is out of time: no more extensions
    bool alone = false;                 ///< nothing may run beside it
    clock::time_point claimed_at = {};  ///< of a lease; set before it is handed out
    clock::time_point deadline = {};
    /// Of due deliveries: what has not begun by then is given back. Set before it is handed out.
    clock::time_point begin_before = clock::time_point::max();
    /// Nobody waits for it: what has not begun must not begin. Read by runners, too.
    std::atomic<bool> abandoned = false;
    std::vector<range> finished;           ///< not reported yet; of due deliveries: reported, too
    std::vector<store::failure> failures;  ///< among them
    clock::time_point oldest_report = {};  ///< when the first of them was finished
    bool has_reports() const { return !finished.empty(); }
    /// The seqs of a lease that are to be reported and are not among the failures.
    std::vector<std::int64_t> delivered() const;

  private:
    std::variant<store::claimed_batch, store::due_batch> rows_;
    int size_;
    std::vector<bool> in_batches_;  ///< empty without batch handlers
};

/// A stretch of a batch that one thread runs.
struct slice {
    std::shared_ptr<held_batch> batch;
    int begin = 0;
    int end = 0;
};

/// What a runner says about a slice.
struct finished_slice {
    slice what;
    std::vector<run_failure> failures;
    int runs = 0;
    clock::duration spent = {};
};

}  // namespace postrider::working
