#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <postrider/alert.hpp>
#include <postrider/event.hpp>
#include <postrider/export.hpp>
#include <postrider/limit.hpp>
#include <postrider/outcome.hpp>
#include <postrider/retry.hpp>
#include <postrider/schedule.hpp>
#include <postrider/sink.hpp>
#include <postrider/source.hpp>
#include <postrider/transaction.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace postrider {

/// How far a job is, and its result.
struct job_progress {
    std::optional<double> fraction = {};
    std::optional<std::string> text = {};
    std::optional<std::string> result = {};  ///< JSON
};

/// The circumstances of one handler run.
class POSTRIDER_EXPORT context {
  public:
    struct values {
        std::string_view handler = {};
        int attempts = 1;
        int cycle = 1;
        std::chrono::steady_clock::time_point deadline = {};
        std::stop_token stop = {};
        std::string_view trace_context = {};
        const std::function<void(std::size_t, outcome)>* report = nullptr;
        const std::function<void(std::size_t, job_progress)>* record = nullptr;
        const std::function<bool(std::size_t)>* cancelled = nullptr;
    };
    explicit context(values fields) : values_(std::move(fields)) {}

    std::string_view handler() const noexcept { return values_.handler; }
    int attempts() const noexcept { return values_.attempts; }  ///< this one included
    int cycle() const noexcept { return values_.cycle; }        ///< above 1 after a replay
    /// Different for every run of a message: a fencing token for effects outside the database.
    std::string run_key(const event& of) const;
    /// Signalled when the handler exceeds its timeout, the lease is lost, the shutdown timeout has
    /// passed, or the message was cancelled; of a batch, when all of its messages were. A
    /// stop_callback runs on the thread that sends heartbeats: it must not block.
    std::stop_token stop_token() const noexcept { return values_.stop; }
    bool stop_requested() const noexcept { return values_.stop.stop_requested(); }
    std::chrono::steady_clock::time_point deadline() const noexcept { return values_.deadline; }
    /// W3C traceparent of this run, for calls that it makes; empty when the message has none.
    std::string_view trace_context() const noexcept { return values_.trace_context; }
    /// For a batch handler: whether this event was cancelled meanwhile. Its outcome does not count.
    bool cancelled(std::size_t index) const {
        return values_.cancelled != nullptr && (*values_.cancelled)(index);
    }
    /// For a batch handler that still waits for other events of its batch: reports the outcome of
    /// one of them now. The outcome that the handler returns for that event is ignored.
    void report(std::size_t index, outcome how) {
        if (values_.report != nullptr) {
            (*values_.report)(index, std::move(how));
        }
    }
    /// Records how far the job is: a fraction from 0 to 1, and a text that is cut at 1000 bytes;
    /// without one the former text stays. The worker writes the newest values to the database once
    /// a second. `index`: of the event in a batch. Any thread may call it until the handler
    /// returns.
    void progress(double fraction, std::string_view text = {}, std::size_t index = 0) const;
    /// Records the result of the job: JSON of up to 16384 bytes, otherwise a usage_error. It is
    /// written before the outcome is reported; a second call replaces it.
    void result(std::string_view json, std::size_t index = 0) const;

  private:
    values values_;
};

/// Retry, timeout and error classification of a handler. An option left at its default comes from
/// the table postrider.setting, which an environment can change. A message's own max_attempts takes
/// precedence.
struct handler_options {
    retry_policy retry = {};
    std::optional<int> max_attempts = {};  ///< runs per cycle (default 5)
    std::optional<int> max_crashes = {};   ///< worker crashes per cycle (default 3)
    /// After the timeout the handler's stop token is signalled. Five seconds later the connection
    /// of a transactional handler is closed, a failure of the class "timeout". At most 24 days.
    std::chrono::milliseconds timeout = std::chrono::minutes(5);
    error_list terminal_errors = {};   ///< besides terminal_error and terminal SQLSTATEs
    error_list transient_errors = {};  ///< retried, regardless of the default
    /// The same by error class ("http:404", "sqlstate:23505") or by a prefix of it ("http:4*"),
    /// also for returned outcomes. The longest matching entry takes precedence over every other
    /// rule.
    std::vector<std::string> terminal_classes = {};
    std::vector<std::string> transient_classes = {};
    /// Error classes of failures that say nothing about the message ("relay_unavailable"): they
    /// count for the circuit and spend no attempt. They must be transient.
    std::vector<std::string> outage_classes = {};
    bool honour_terminal = true;  ///< false: terminal errors are retried up to the limits
    circuit_policy circuit = {};
    /// Declared when the worker starts, for all workers of the consumer. A limit that an operator
    /// sets (`postrider limit set`) takes precedence until it is removed.
    std::optional<handler_limit> limit = {};
    /// For batch handlers. 0: the worker chooses the number by the speed of the handler, as for
    /// single events; all events of such a batch have the same number of attempts.
    int batch_max = 100;
    /// The destination of a relay, for operators; relay() sets it.
    broker_place relays_to = {};
};

/// Order by ordering_key: the consumer's workers handle messages of one key one at a time, in the
/// order of their publication. The policy decides whether the other messages of a key wait when one
/// of them is a dead letter.
class ordering_policy {
  public:
    /// They wait until it is replayed or discarded.
    static ordering_policy hold() { return ordering_policy("hold"); }
    /// They are handled without it.
    static ordering_policy skip() { return ordering_policy("skip"); }
    /// They wait for a time and are then handled without it.
    static ordering_policy hold_for(std::chrono::milliseconds time) {
        return ordering_policy(std::to_string(time.count()) + " milliseconds");
    }
    /// The consumer is no longer ordered.
    static ordering_policy none() { return ordering_policy("none"); }
    /// As register_worker() takes it.
    const std::string& text() const noexcept { return text_; }

  private:
    explicit ordering_policy(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

struct worker_options {
    std::string database = {};  ///< URL or key=value string; the rest comes from PG* variables
    std::string consumer = {};
    int concurrency = 16;  ///< handler threads
    /// Consumes the channel outbox_gen_<N> of one deployment generation only.
    std::optional<std::int64_t> generation = {};
    /// Rejects a database of another deployment, such as a copy of production that was not adopted
    /// (`postrider adopt`). Empty: accepts any database.
    std::string deployment = {};
    std::string channel = {};  ///< empty: outbox_default, or the generation's
    /// First attempts come from a broker instead of the log; the channel is "broker". One per
    /// worker.
    std::shared_ptr<postrider::source> source = {};
    bool from_beginning = false;  ///< a new consumer starts at the oldest message of the log
    /// Makes the consumer ordered, for all its workers. Empty: as it is; a new consumer is not.
    std::optional<ordering_policy> ordering = {};
    /// Stops when no message is available or due: for batch programs.
    bool until_idle = false;
    int batch_max = 1000;        ///< messages per claim
    int in_flight_max = 10'000;  ///< messages held at once
    /// Time without a heartbeat after which other workers take over the leases. A heartbeat is sent
    /// every third of it.
    std::chrono::milliseconds heartbeat_timeout = std::chrono::seconds(30);
    /// Time for running handlers to finish after request_stop().
    std::chrono::milliseconds shutdown_timeout = std::chrono::seconds(30);
    /// Interval of claims without a NOTIFY.
    std::chrono::milliseconds sweep = std::chrono::seconds(30);
    /// The same while NOTIFY does not arrive.
    std::chrono::milliseconds poll = std::chrono::seconds(5);
    /// Deadline of one call to the server.
    std::chrono::milliseconds call_timeout = std::chrono::seconds(20);
    /// Empty: the default sink. Without a default sink the worker writes warnings, errors and
    /// failed runs to stderr. std::make_shared<postrider::sink>() discards all output. Messages
    /// that handlers publish on the worker's threads are reported to this sink, too.
    std::shared_ptr<postrider::sink> sink = {};
    /// Sends alerts to the sink and to alert_targets. Exactly one worker sends each alert.
    bool alerts = true;
    std::vector<std::shared_ptr<alert_target>> alert_targets = {};
    /// Defined when the worker starts. Any worker of the database fires them.
    std::vector<postrider::schedule> schedules = {};
};

/// The event types of a handler: "user.created", "user.*", "*", or several of these.
struct event_types {
    std::vector<std::string> patterns;
    event_types(const char* pattern) : patterns{pattern} {}             // NOLINT: implicit
    event_types(std::string pattern) : patterns{std::move(pattern)} {}  // NOLINT: implicit
    event_types(std::initializer_list<std::string> several) : patterns(several) {}
};

using handler_function = std::function<outcome(const event&, context&)>;
using transactional_function = std::function<outcome(const event&, transaction&, context&)>;
using batch_function = std::function<std::vector<outcome>(std::span<const event>, context&)>;
/// Wraps every run of a handler of single events; may or may not call `next`. Does not apply to
/// batch handlers.
using middleware =
    std::function<outcome(const event&, context&, const std::function<outcome()>& next)>;

template <typename Function>
concept plain_handler = std::invocable<Function&, const event&, context&> ||
    (std::invocable<Function&, const event&> &&
     !std::invocable<Function&, const event&, transaction&>);
template <typename Function>
concept transactional_handler = std::invocable<Function&, const event&, transaction&> ||
    std::invocable<Function&, const event&, transaction&, context&>;
template <typename Function>
concept batch_handler = std::invocable<Function&, std::span<const event>> ||
    std::invocable<Function&, std::span<const event>, context&>;

/// Runs handlers for a consumer. start(), request_stop() and wait() may be called from any thread.
/// Stopping before starting and stopping twice are legal. Handlers run on threads of the worker.
/// The worker opens two connections, one more per thread that runs transactional handlers, two more
/// while it is the keeper, and one while it moves a replay. It survives every database error and
/// reports state changes to the sink.
class POSTRIDER_EXPORT worker {
  public:
    explicit worker(worker_options options);
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    /// Stops, waiting at most for the shutdown timeout.
    ~worker();

    /// `name` is qualified by its scope ("billing.welcome_email") and must not change between
    /// deployments.
    /// Forms: (event), (event, context), (event, transaction), (event, transaction, context),
    /// (span of events), (span of events, context), returning nothing, an outcome, or, for spans, a
    /// vector with an outcome for each event. A transactional handler's effect, its inbox entry and
    /// its published messages commit in one transaction: exactly once per idempotency key.
    template <typename Function>
    requires plain_handler<Function> || transactional_handler<Function> || batch_handler<Function>
        worker& on(event_types types, std::string name, Function handle,
                   handler_options options = {}) {
        if constexpr (batch_handler<Function>) {
            return add_batch(std::move(types), std::move(name), as_batch(std::move(handle)),
                             std::move(options));
        } else if constexpr (transactional_handler<Function>) {
            return add_transactional(std::move(types), std::move(name),
                                     as_transactional(std::move(handle)), std::move(options));
        } else {
            return add(std::move(types), std::move(name), as_plain(std::move(handle)),
                       std::move(options));
        }
    }
    /// Adds a middleware. The first one added is the outermost.
    worker& use(middleware around);
    /// Adds to worker_options::schedules.
    worker& schedule(postrider::schedule definition);

    /// Registers the worker and starts its threads. Throws usage_error or schema_error when the
    /// configuration cannot work. If the server cannot be reached, the worker keeps reconnecting.
    void start();
    /// Stops claiming, releases messages that have not started, and lets running handlers finish
    /// within the shutdown timeout. A second call ends that timeout. Safe in a signal handler.
    void request_stop() noexcept;
    /// Blocks until the worker has stopped. Handlers still running after the shutdown timeout lose
    /// their lease.
    void wait();
    /// start(), then wait() until SIGINT, SIGTERM or, unless ignored, SIGHUP. A second signal stops
    /// the worker without waiting for handlers; a connection attempt under way still ends first.
    void run();

    bool running() const noexcept;

    /// Handles every message that is available or due, on the calling thread. Returns the number of
    /// handler runs. For tests and batch programs; throws usage_error if the worker was started.
    int drain();

    struct state;

  private:
    worker& add(event_types types, std::string name, handler_function handle, handler_options);
    worker& add_transactional(event_types types, std::string name, transactional_function handle,
                              handler_options);
    worker& add_batch(event_types types, std::string name, batch_function handle, handler_options);

    template <typename Call>
    static outcome outcome_of(Call&& call) {
        if constexpr (std::is_void_v<std::invoke_result_t<Call>>) {
            call();
            return delivered();
        } else {
            return call();
        }
    }
    template <typename Function>
    static handler_function as_plain(Function handle) {
        return [handle = std::move(handle)](const event& e, context& c) mutable {
            return outcome_of([&] {
                if constexpr (std::invocable<Function&, const event&, context&>) {
                    return handle(e, c);
                } else {
                    return handle(e);
                }
            });
        };
    }
    template <typename Function>
    static transactional_function as_transactional(Function handle) {
        return [handle = std::move(handle)](const event& e, transaction& t, context& c) mutable {
            return outcome_of([&] {
                if constexpr (std::invocable<Function&, const event&, transaction&, context&>) {
                    return handle(e, t, c);
                } else {
                    return handle(e, t);
                }
            });
        };
    }
    template <typename Function>
    static batch_function as_batch(Function handle) {
        return [handle = std::move(handle)](std::span<const event> all,
                                            context& c) mutable -> std::vector<outcome> {
            const auto call = [&] {
                if constexpr (std::invocable<Function&, std::span<const event>, context&>) {
                    return handle(all, c);
                } else {
                    return handle(all);
                }
            };
            if constexpr (std::is_void_v<decltype(call())>) {
                call();
                return std::vector<outcome>(all.size());
            } else {
                return call();
            }
        };
    }

    friend struct handler_access;  // of postrider::testing

    std::unique_ptr<state> state_;
};

}  // namespace postrider
