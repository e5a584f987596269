#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <postrider/worker.hpp>
#include <thread>

#include "worker/coordinator/coordinator.hpp"
#include "worker/runs/thread_pool.hpp"
#include "worker/wake_event.hpp"

namespace postrider {

/// The threads behind a worker, and the requests that reach them.
struct worker::state {
    explicit state(worker_options settings);

    /// Throw usage_error, which names the call, if the worker was started or drained.
    void require_not_started(const char* call) const;
    void require_nothing_ran(const char* call) const;
    void add(working::handler one);

    /// Creates the coordinator.
    void make();
    /// Body of the coordinator's thread. `registered` gets the result of the registration.
    void work(std::promise<void>& registered);
    /// Blocks until work() has ended. At the end of the shutdown timeout, and after a second
    /// request, it closes connections whose calls do not return.
    void wait_until_finished();
    /// Lets a worker leave that only drained; a started one leaves at the end of work().
    void leave_drained() noexcept;

    worker_options options;
    std::shared_ptr<working::thread_pool> threads;
    std::unique_ptr<working::coordinator> lead;
    std::thread thread;
    std::mutex mutex;  ///< guards start, drain and wait
    std::atomic<bool> started = false;
    std::atomic<int> stop_requests = 0;
    std::atomic<working::coordinator*> running = nullptr;
    working::wake_event finished;
    working::wake_event stop_requested;
};

}  // namespace postrider
