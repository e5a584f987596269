#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <postrider/sink.hpp>
#include <postrider/worker.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "pg/connection.hpp"
#include "pg/watchdog.hpp"
#include "worker/batches/held_batch.hpp"
#include "worker/runs/handlers.hpp"
#include "worker/runs/immediate_retries.hpp"
#include "worker/runs/progress_board.hpp"
#include "worker/runs/run_tally.hpp"

namespace postrider::working {

/// State shared by all runners of a worker.
struct run_environment {
    handler_table handlers;
    std::vector<middleware> around;
    std::string consumer;
    std::string database;
    std::chrono::milliseconds call_timeout{};
    std::shared_ptr<sink> reports;               ///< may be null
    bool only_log = false;                       ///< reports is stderr_log()
    std::atomic<bool> leaving = false;           ///< no message may start
    std::function<void(finished_slice)> finish;  ///< takes a part of a slice that is under way
    progress_board progress;
    immediate_retries immediate;
    /// Microseconds from the steady clock to the clock of the database; 0: not known yet.
    std::atomic<std::int64_t> database_clock = 0;
    pg::watchdog watchdog;
};

/// Runs handlers, one slice at a time, on the thread that calls take_up() and run(). The other
/// functions may be called from anywhere.
class runner {
  public:
    explicit runner(run_environment& shared) : shared_(shared), routes_(shared.handlers) {}

    void take_up(slice work);
    /// Runs the slice that was taken up.
    finished_slice run();

    struct load {
        clock::time_point since;
        int messages;
    };
    /// The slice under way; nothing when idle.
    std::optional<load> busy() const;
    /// When the slice under way was started, if some of its messages still wait.
    std::optional<clock::time_point> holding_since() const;
    /// Removes those messages: of this batch, or of any when null.
    std::optional<slice> withdraw(const held_batch* of);
    /// Removes those that another thread may run: all but the rest of the chain under way.
    std::optional<slice> withdraw_others();

    /// Asks the running handler to stop if it works on this batch, or on any when null.
    void request_stop(const held_batch* on);
    /// Asks it to stop if it works on this message, which was cancelled. A batch handler goes on
    /// until all of its messages are.
    void request_stop(const held_batch* on, int index);
    struct overdue_run {
        std::string handler;
        const held_batch* batch;
    };
    /// Asks a handler that exceeds its timeout to stop. Returns each run once.
    std::optional<overdue_run> stop_overdue(clock::time_point now);
    /// The runs since the last call.
    run_tally take_tally();

  private:
    struct attempt {
        int attempts = 1;
        int cycle = 1;
        /// Of a first attempt that did not have to wait for its time or its turn.
        std::optional<std::chrono::system_clock::time_point> published = {};
    };
    /// The position of a message that a handler runs.
    struct place {
        const held_batch& batch;
        int index;
    };
    struct gathered {
        const handler* by;
        std::vector<event> events;
        std::vector<int> indexes;
        std::vector<attempt> attempts;
        attempt highest;
        std::vector<bool> only;  ///< no other handler runs for the event
    };

    /// Records an outcome other than delivered.
    static void note(finished_slice& done, int index, const handler* by, outcome how,
                     clock::duration spent = {});
    static outcome not_started();
    std::optional<int> next_index();
    int put_down();
    void run_message(const held_batch& batch, int index, finished_slice& done);
    void gather(const handler& by, event event, int index, attempt which, bool only);
    void run_gathered(finished_slice& done);
    void run_group(gathered& group, std::size_t from, std::size_t count, finished_slice& done);
    std::vector<outcome> call_batch(const gathered& group, std::span<const event> events,
                                    context& ctx) const;
    void settle(const gathered& group, std::size_t which, clock::time_point began, outcome how,
                finished_slice& into);
    void finish_early(finished_slice one);
    finished_slice without_early(finished_slice done);
    bool may_begin(const held_batch& batch) const;
    /// Whether the message before it in its chain was not delivered.
    static bool is_behind_failure(const finished_slice& done, int index);
    void record(const handler& by, place at, job_progress progress) const;
    /// Runs the handler, again if it fails and may be repeated at once, and notes its outcome.
    void run_one(const handler& by, const event& event, attempt which, place at,
                 finished_slice& done);
    bool runs_again(const handler& by, const outcome& how, const attempt& which, place at,
                    clock::duration spent);
    outcome attempt_one(const handler& by, const event& event, attempt which, place at,
                        clock::duration& spent);
    outcome run_transactional(const handler& by, const event& event, context& ctx, bool& duplicate);
    outcome call(const handler& by, const event& event, context& ctx, bool& duplicate);
    outcome call_around(std::size_t depth, const event& event, context& ctx,
                        const std::function<outcome()>& innermost);
    pg::connection& session();
    std::unique_ptr<transaction::state> begin_transaction();
    void roll_back(transaction::state& open) const noexcept;

    /// `batch`: the messages of a batch handler's run.
    std::stop_token begin(const handler& by, clock::time_point deadline,
                          std::span<const int> batch = {});
    /// Whether every message of the run was cancelled. Called with the mutex.
    bool all_cancelled() const;
    void end();
    void end(const handler& by, const counted_run& run);
    counted_run counted(const outcome& how, const attempt& which, clock::time_point began) const;

    struct run_report {
        clock::time_point began;
        attempt which;
        const outcome& how;
        bool duplicate;
        const std::optional<trace_ids>& trace;
    };
    bool is_reported(const outcome& how) const;
    void report(const handler& by, const event& event, const run_report& run) const;

    run_environment& shared_;
    route_cache routes_;
    std::optional<pg::connection> session_;
    std::string settings_;  ///< statements that restore that session
    std::vector<gathered> gathered_;
    std::vector<int> early_;  ///< messages of the slice that were finished before its end

    mutable std::mutex mutex_;  // guards the members below, which other threads read
    slice slice_;               // begins with the next message
    int slice_first_ = 0;       // the first message of the whole slice
    int finished_early_ = 0;    // of the slice
    clock::time_point slice_began_ = {};
    const handler* running_ = nullptr;
    std::span<const int> running_batch_;  // of a batch handler
    clock::time_point deadline_ = {};
    bool overdue_ = false;
    std::stop_source stop_;
    run_tally tally_;
};

}  // namespace postrider::working
