#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <postrider/worker.hpp>
#include <string>
#include <string_view>

#include "base/encoding/uuid.hpp"
#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "worker/batches/ledger.hpp"
#include "worker/coordinator/claim_schedule.hpp"
#include "worker/coordinator/pace.hpp"
#include "worker/coordinator/waiting_schedule.hpp"
#include "worker/runs/thread_pool.hpp"

namespace postrider::working {

/// The state that the coordinator shares with its services. Used on the coordinator's thread only.
struct worker_context {
    worker_context(worker_options settings, std::shared_ptr<thread_pool> pool);

    /// The work session. Throws std::bad_optional_access while there is none.
    pg::connection& session() { return connection.value(); }
    /// Closes the session if the calls made during the guard's life exceed the call timeout.
    pg::watchdog::guard watch(const pg::connection& calls_on);
    pg::watchdog::guard watch(const pg::connection& calls_on, std::chrono::milliseconds timeout);

    /// Reports a state change to the sink. Never throws.
    void report(level how, std::string_view state, std::string_view message) const;
    /// Reports the duration of an operation, with the worker's figures, to the sink. Never throws.
    void measure(std::string_view operation, clock::time_point began) const;
    void send(const worker_figures& record) const;

    /// How long a claimed message may be held without an extension.
    std::chrono::milliseconds lease_length() const;
    /// The consumer is ordered by key.
    bool is_ordered() const;
    /// Whether the worker runs several messages of an ordering key in order. A batch handler gets
    /// one of each key, because it reports on all of its messages at the end.
    bool keeps_order() const;
    /// Interval of maintenance and of the check of the notification queue.
    clock::duration maintenance_interval() const;
    /// Withdraws slices that have not started and returns their messages uncharged.
    void give_back(const std::vector<slice>& unstarted, clock::time_point now);

    const worker_options options;
    const std::shared_ptr<thread_pool> threads;
    const std::shared_ptr<sink> reports;  ///< may be null
    const std::string channel;
    const uuid id = uuid::random();
    std::optional<pg::connection> connection;
    bool call_timed_out = false;  ///< the watchdog closed the session during the call that failed
    ledger held;
    pace speed;
    thread_pool::stuck_work stuck;  ///< threads that will start no message soon
    claim_schedule schedule;
    waiting_schedule waiting;
    bool due_changed = true;    ///< the time of the next due delivery may have changed
    bool due_now = false;       ///< deliveries have become due
    bool dead_letters = false;  ///< a delivery may have become a dead letter
    bool stopping = false;
    std::function<worker_figures()> figures;  ///< current values; set by the coordinator
};

}  // namespace postrider::working
