#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <postrider/worker.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::cli {

class run_batch;

/// One message on its way through a child.
struct child_run {
    run_batch* batch = nullptr;
    std::size_t index = 0;
    std::string id = {};       ///< of the message
    std::string message = {};  ///< message_text()
    bool alone = false;        ///< it may have crashed a child: no other runs beside it
};

/// The messages that a thread of the worker has given to the children. The thread waits for their
/// outcomes; the host's thread completes them.
class run_batch {
  public:
    run_batch(std::span<const event> events, const postrider::context& run);
    run_batch(const run_batch&) = delete;
    run_batch& operator=(const run_batch&) = delete;

    std::vector<child_run>& runs() { return runs_; }

    /// Progress and result that a child records for a run, before its completion.
    void progress(const child_run& run, double fraction, std::string_view text) const {
        context_.progress(fraction, text, run.index);
    }
    void result(const child_run& run, std::string_view json) const {
        context_.result(json, run.index);
    }
    /// Whether the outcome of a run does not count any more.
    bool stopped(const child_run& run) const {
        return stop_requested || context_.cancelled(run.index);
    }
    /// Each run is completed exactly once.
    void complete(const child_run& run, outcome how);
    /// Blocks until every run is completed. When some take longer than others, the available
    /// outcomes are reported early.
    std::vector<outcome> wait(postrider::context& run);

    /// The worker has asked the runs to stop.
    std::atomic<bool> stop_requested = false;

  private:
    const postrider::context& context_;  ///< lives until the last run is completed
    std::vector<child_run> runs_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<outcome> outcomes_;
    std::vector<std::size_t> fresh_;  ///< completed and not reported
    std::size_t left_;
    bool early_ = false;  ///< wakes the waiting thread for each run
};

}  // namespace postrider::cli
