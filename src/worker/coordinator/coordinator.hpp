#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <postrider/worker.hpp>
#include <vector>

#include "store/work/exchange.hpp"
#include "worker/coordinator/pause.hpp"
#include "worker/doorbell/listening.hpp"
#include "worker/due/due_deliveries.hpp"
#include "worker/leases/handler_timeouts.hpp"
#include "worker/leases/heartbeat.hpp"
#include "worker/leases/progress.hpp"
#include "worker/leases/release.hpp"
#include "worker/services/alert_service.hpp"
#include "worker/services/maintenance.hpp"
#include "worker/services/receiving.hpp"
#include "worker/services/replays.hpp"
#include "worker/services/run_history.hpp"
#include "worker/services/schedules.hpp"
#include "worker/worker_context.hpp"

namespace postrider::working {

/// Time for handlers to return after they were asked to stop at the end of the shutdown timeout.
inline constexpr auto stop_request_timeout = std::chrono::milliseconds(1000);

/// The worker's main thread. It owns the loop, the work session and the claim from the log;
/// services do the rest, each with a next_at() and a run().
class coordinator {
  public:
    coordinator(worker_options options, std::shared_ptr<thread_pool> threads);

    /// Called once: when the worker is registered, when it cannot be (with the exception), or, with
    /// null, when the database cannot be reached yet.
    using started_callback = std::function<void(std::exception_ptr)>;

    /// Runs until stopped. Errors that make the worker impossible go to `started`.
    void run(const started_callback& started);
    /// Handles every available or due message on the calling thread. Returns the number of runs.
    int drain();
    /// Returns the messages still held, at the end of run() or after the last drain(). No error in
    /// here keeps the worker from ending.
    void leave() noexcept;

    /// `times` counts all requests so far. One: let handlers finish. Two or more: stop without
    /// waiting. Safe in a signal handler.
    void request_stop(int times) noexcept;
    int stop_requests() const noexcept { return stop_requests_.load(); }

  private:
    // coordinator.cpp: the loop
    void run_services();
    void collect_finished();
    void handle_error(const std::exception& problem);
    worker_figures figures() const;

    // loop.cpp
    void wait();
    clock::time_point next_at(clock::time_point now) const;
    void wait_until(clock::time_point when);
    bool take_notifications();

    // connecting.cpp
    void connect();

    // claiming.cpp: claims of leases and their reports
    using reports = std::vector<std::shared_ptr<held_batch>>;
    void exchange(clock::time_point now, bool reported = false);
    void exchange(store::stream from, const reports& done, int limit);
    void exchange_one(store::stream from, const std::shared_ptr<held_batch>& report, int limit);
    void exchange_many(store::stream from, const reports& done, int limit);
    void accept(store::stream from, store::claimed_batch batch,
                const std::shared_ptr<held_batch>& report, int limit);
    void accept_report(std::optional<store::settlement> result,
                       const std::shared_ptr<held_batch>& report);
    void hold(store::stream from, store::claimed_batch batch);
    void report_singly(const std::shared_ptr<held_batch>& report);

    // claim_size.cpp
    bool may_claim() const;
    int claim_limit(bool reporting) const;
    clock::time_point keys_are_free_at() const;
    int log_limit(bool reporting, clock::time_point now) const;
    int waiting_limit(bool reporting, clock::time_point now) const;
    int urgent_limit() const;

    // stopping.cpp
    bool idle(clock::time_point now) const;
    bool all_reported(clock::time_point now) const;
    void begin_stop(clock::time_point now);
    bool stopped(clock::time_point now);

    worker_context context_;
    pause trouble_;  ///< of the work session
    bool registered_before_ = false;
    unsigned turn_ = 0;  ///< of claims: which stream is first

    heartbeat heartbeat_;
    handler_timeouts timeouts_;
    release release_;
    progress progress_;
    listening listening_;
    due_deliveries due_;
    receiving receiving_;
    alert_service alerts_;
    replays replays_;
    schedules schedules_;
    run_history history_;
    maintenance maintenance_;

    std::atomic<int> stop_requests_ = 0;
    struct {
        clock::time_point until = {};
        bool handlers_asked = false;  ///< to stop
    } shutdown_;
};

}  // namespace postrider::working
