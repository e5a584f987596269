#pragma once

#include <poll.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "cli/stay/protocol.hpp"
#include "cli/stay/run_batch.hpp"
#include "cli/stay/stderr_relay.hpp"
#include "cli/work/exec/error_tail.hpp"
#include "cli/work/exec/running_commands.hpp"

namespace postrider::cli {

/// One process that stays: its pipes, its lines and the messages that it has not answered. Every
/// function returns at once. For one thread.
class child {
  public:
    using clock = std::chrono::steady_clock;
    static constexpr auto never = clock::time_point::max();
    using run_ref = std::shared_ptr<child_run>;

    struct settings {
        std::vector<std::string> arguments = {};
        std::vector<std::string> environment = {};
        worker_hello hello = {};
        stderr_relay::take_line log = {};
    };
    /// Starts the process. Throws std::system_error when that fails.
    child(const settings& how, running_commands& running);
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child();

    /// False after running_commands::kill_all().
    bool started() const { return leader_ > 0; }
    pid_t process() const { return leader_; }
    /// Empty until its hello has arrived.
    const std::optional<child_hello>& hello() const { return hello_; }

    /// Adds the entries for poll(2); handle() gets the same entries with their results.
    static constexpr std::size_t source_count = 4;
    void add_sources(std::vector<pollfd>& to) const;
    /// True when the process has ended.
    bool handle(const pollfd* sources, clock::time_point now);
    /// The time at which act() has something to do.
    clock::time_point next_at() const;
    /// Ends a process that exceeds a timeout; kills one that does not end.
    void act(clock::time_point now);

    /// Messages that it can take without making them wait for long.
    std::size_t room() const;
    std::size_t unanswered() const { return unanswered_.size(); }
    /// The expected time for the messages that wait in it, by the rate of its answers.
    std::chrono::duration<double> work_ahead() const;
    void send(const std::vector<run_ref>& runs, std::uint64_t& next_number, clock::time_point now);
    /// Sends it a cancel line for each run that was stopped or cancelled; true when the worker has
    /// asked some runs to stop.
    bool cancel_stopped_runs();
    void notify_stop();
    /// Closes its stdin after the last line, so that it ends.
    void close(clock::time_point now);
    /// Ends it; its messages are released when it has ended.
    void interrupt(clock::time_point now);

    /// The cause of its end, and its unanswered messages by their next step. Call reap() after
    /// handle() has returned true.
    struct death {
        outcome how = {};                       ///< of the message that is charged
        std::string text = {};                  ///< for the log, without its stderr
        std::vector<run_ref> charged = {};      ///< the message that caused it
        std::vector<run_ref> suspects = {};     ///< several ran: one of them may have caused it
        std::vector<run_ref> uncharged = {};    ///< to be run again
        std::vector<run_ref> interrupted = {};  ///< to be released
    };
    death reap();
    /// Whether it has answered a message.
    bool has_answered() const { return has_answered_; }

  private:
    struct sent_run {
        std::uint64_t number;
        run_ref run;
        clock::time_point deadline = clock::time_point::max();  ///< max: not begun
        bool cancelled = false;
    };
    enum class ending { itself, timeout, protocol, interrupted };

    void end(ending why, std::string text, clock::time_point now);
    void read_lines(clock::time_point now, int reads);
    void take_line(std::string_view line, clock::time_point now);
    void answer(child_outcome answered);
    std::deque<sent_run>::iterator find(std::uint64_t number);
    void learn(std::size_t answered, clock::time_point now);
    void begin_runs(clock::time_point now);
    std::size_t running() const;
    void write_lines();
    void read_errors(clock::time_point now);
    outcome reason(int status) const;
    void sort_out(death& made, bool killed);

    worker_hello worker_hello_;
    running_commands& running_;
    pid_t leader_ = -1;
    descriptor exit_;
    descriptor input_;
    descriptor output_;
    descriptor errors_;
    std::string unsent_;
    std::string received_;
    stderr_relay log_;
    error_tail tail_;
    std::optional<child_hello> hello_;
    std::deque<sent_run> unanswered_;  ///< in the order sent
    bool alone_ = false;               ///< the one message that it has must run alone
    bool closing_ = false;
    bool has_answered_ = false;
    clock::time_point answered_at_ = {};
    double seconds_per_message_ = 0;  ///< 0: not known
    ending why_ = ending::itself;
    std::string why_text_;
    std::uint64_t timed_out_ = 0;  ///< the run that exceeded its timeout
    clock::time_point hello_by_ =
        clock::time_point::max();  ///< ended when it has said none by then
    clock::time_point term_at_ = clock::time_point::max();
    clock::time_point kill_at_ = clock::time_point::max();
};

}  // namespace postrider::cli
