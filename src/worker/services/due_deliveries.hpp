#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "worker/services/run_alone.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Claims and reports due deliveries. A delivery is charged with a crash of its worker from its
/// claim on, so none is claimed before a thread is free for it.
class due_deliveries {
  public:
    explicit due_deliveries(const handler_table& handlers) : batches_(handlers.batches()) {}

    /// When run() can do something; max while it waits for a thread.
    clock::time_point next_at(const worker_context& context) const;
    void run(worker_context& context, clock::time_point now);
    /// Reports outcomes. True when there were any.
    static bool report(worker_context& context);

    /// No delivery is due, as far as the worker knows.
    bool idle(const worker_context& context, clock::time_point now) const;
    /// The log must not be claimed from: a delivery is to run alone.
    bool draining() const { return alone_.draining(); }
    /// The next run() asks the database for the next due time without delay.
    void ask_at_once() { next_question_ = {}; }
    /// Asks the pool to keep a thread free for due deliveries, or takes that back.
    void request_thread(worker_context& context, bool requested);

    /// The database's answer: time until the next delivery is due; nothing when there is none.
    void learn(std::optional<clock::duration> left, clock::time_point now);

  private:
    void ask(worker_context& context, clock::time_point now);
    void claim_free(worker_context& context, clock::time_point now, bool idle);
    int claim(worker_context& context, int limit, bool alone);
    void drain(worker_context& context, clock::time_point now, bool idle);

    std::vector<std::pair<std::string, int>> batches_;  ///< batch handlers and their batch_max
    run_alone alone_;
    std::optional<clock::time_point> next_due_ = {};
    clock::time_point next_question_ = {};  ///< not before
    bool thread_requested_ = false;
};

}  // namespace postrider::working
