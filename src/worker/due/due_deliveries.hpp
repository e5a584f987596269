#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "worker/due/run_alone.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Claims and reports due deliveries. It claims those that free threads start at once, and holds
/// others for threads that will be free soon. The database hands out a delivery that may have
/// crashed a worker only for a free thread.
class due_deliveries {
  public:
    explicit due_deliveries(const handler_table& handlers) : batches_(handlers.batches()) {}

    /// When run() can do something; max while it waits for a thread.
    clock::time_point next_at(const worker_context& context) const;
    void run(worker_context& context, clock::time_point now);
    /// Reports outcomes: many at a time, or with `all` every one. True when there were any.
    bool report(worker_context& context, clock::time_point now, bool all);
    /// When report() must run; max without outcomes.
    clock::time_point next_report(const worker_context& context) const;

    /// No delivery is due, as far as the worker knows.
    bool idle(const worker_context& context, clock::time_point now) const;
    /// More deliveries are due than the last claim returned.
    bool backlog() const { return hold_max_ > 0; }
    /// The log must not be claimed from: a delivery is to run alone.
    bool draining() const { return alone_.draining(); }
    /// The next run() queries the next due time without delay.
    void ask_at_once() { next_question_ = {}; }
    /// Requests that the pool keeps a thread free for due deliveries, or withdraws the request.
    void request_thread(worker_context& context, bool requested);

    /// The database's answer: time until the next delivery is due; nothing when there is none.
    void learn(std::optional<clock::duration> left, clock::time_point now);

  private:
    void ask(worker_context& context, clock::time_point now);
    void claim_free(worker_context& context, clock::time_point now, bool idle);
    struct amounts {
        int limit;  ///< runs that start at once
        int hold;   ///< deliveries that wait for a thread
    };
    amounts next_claim(const worker_context& context) const;
    int claim(worker_context& context, amounts wanted, bool alone);
    static void push(worker_context& context, const std::shared_ptr<held_batch>& held, int runs);
    void drain(worker_context& context, clock::time_point now, bool idle);

    std::vector<std::pair<std::string, int>> batches_;  ///< batch handlers and their batch_max
    run_alone alone_;
    std::optional<clock::time_point> next_due_ = {};
    clock::time_point next_question_ = {};  ///< not before
    clock::time_point next_report_ = {};    ///< not before, while few outcomes wait
    bool thread_requested_ = false;
    int hold_max_ = 0;  ///< grows while claims return as many deliveries as requested
};

}  // namespace postrider::working
