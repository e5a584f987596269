#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "store/work/deliveries.hpp"
#include "store/work/settle.hpp"
#include "worker/batches/held_batch.hpp"

namespace postrider::working {

/// The messages that the worker holds and the outcomes it has to report. No database here.
class ledger {
  public:
    void hold(const std::shared_ptr<held_batch>& batch);

    /// Records the result of a slice.
    void absorb(finished_slice done, clock::time_point now);
    /// A slice that no thread has started: its messages are released uncharged.
    void give_back(const slice& range, clock::time_point now);

    /// Leases with outcomes to report: finished ones, and others whose oldest outcome has waited
    /// for the report interval. `all`: every lease with an outcome.
    std::vector<std::shared_ptr<held_batch>> reports(clock::time_point now, bool all) const;
    /// When the next of them must be reported; max when there is none.
    clock::time_point next_report() const;
    /// The database has accepted the outcomes of `of`.
    void reported(const std::shared_ptr<held_batch>& of);
    /// A handler of it exceeds its timeout: its lease is not extended any more.
    void overdue(const held_batch* batch);
    /// Another worker has it.
    void lost(const std::shared_ptr<held_batch>& batch);

    std::span<const store::delivery_outcome> due_reports() const { return due_reports_; }
    void due_reported() { due_reports_.clear(); }
    int due() const { return due_; }  ///< due deliveries not finished yet

    int in_hand() const { return leased_ + due_ + received_count_; }  ///< messages not finished yet
    clock::time_point last_end() const { return last_end_; }          ///< of messages of a lease
    int waited() const;  ///< of them those that had waited for their time or by their priority
    bool running_alone() const;
    const std::vector<std::shared_ptr<held_batch>>& leases() const { return leases_; }
    const std::vector<std::shared_ptr<held_batch>>& dues() const { return dues_; }
    /// From a broker: with messages that are not finished, or outcomes not taken from finished.
    const std::vector<std::shared_ptr<held_batch>>& received() const { return received_; }
    std::vector<std::int64_t> lease_ids() const;
    /// Deliveries that run, wait for a thread or have an outcome that is not reported yet.
    std::vector<std::int64_t> delivery_ids() const;

  private:
    std::vector<std::shared_ptr<held_batch>>& list_of(const held_batch& batch);
    int& count_of(const held_batch& batch);
    void absorb_lease(held_batch& batch, finished_slice& done, clock::time_point now);
    void absorb_due(held_batch& batch, finished_slice& done);
    void finish(held_batch& batch, int count);

    std::vector<std::shared_ptr<held_batch>> leases_;
    std::vector<std::shared_ptr<held_batch>> dues_;
    std::vector<std::shared_ptr<held_batch>> received_;
    std::vector<store::delivery_outcome> due_reports_;
    clock::time_point last_end_ = {};
    int leased_ = 0;
    int due_ = 0;
    int received_count_ = 0;
};

}  // namespace postrider::working
