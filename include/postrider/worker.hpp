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
#include <postrider/outcome.hpp>
#include <postrider/retry.hpp>
#include <postrider/sink.hpp>
#include <postrider/transaction.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace postrider {

/// What a handler may know about its run.
class POSTRIDER_EXPORT context {
  public:
    struct values {
        std::string_view handler = {};
        int attempts = 1;
        int cycle = 1;
        std::chrono::steady_clock::time_point deadline = {};
        std::stop_token stop = {};
        std::string_view trace_context = {};
    };
    explicit context(values given) : values_(std::move(given)) {}

    std::string_view handler() const noexcept { return values_.handler; }
    int attempts() const noexcept { return values_.attempts; }  ///< this one included
    int cycle() const noexcept { return values_.cycle; }        ///< above 1 after a replay
    /// Different for every run of a message: what fences effects outside of the database.
    std::string run_key(const event& of) const;
    /// Asked to stop: out of time, the lease is lost, or the worker's grace period is over. A
    /// stop_callback runs on the thread that keeps the worker alive: it must not block.
    std::stop_token stop_token() const noexcept { return values_.stop; }
    bool stop_requested() const noexcept { return values_.stop.stop_requested(); }
    std::chrono::steady_clock::time_point deadline() const noexcept { return values_.deadline; }
    /// W3C traceparent of this run, for calls that it makes; empty when the message has none.
    std::string_view trace_context() const noexcept { return values_.trace_context; }

  private:
    values values_;
};

/// How a handler's runs are judged. What is left at its default comes from the table
/// postrider.setting, which an environment can change; a message's own max_attempts comes first.
struct handler_options {
    retry_policy retry = {};
    std::optional<int> max_attempts = {};  ///< runs per cycle: 5
    std::optional<int> crashes_max = {};   ///< how often a run may take its worker down: 3
    /// Then the handler is asked to stop, and the connection of a transactional one is cut five
    /// seconds later, which is a failure of the class "timeout". At most 24 days.
    std::chrono::milliseconds timeout = std::chrono::minutes(5);
    error_list terminal_errors = {};   ///< final, besides terminal_error and what SQLSTATEs say
    error_list transient_errors = {};  ///< worth another attempt, whatever the default says
    /// The same by error class ("http:404", "sqlstate:23505") or by a prefix of it ("http:4*"), for
    /// outcomes that were returned, too. The longest entry that fits decides, before all else.
    std::vector<std::string> terminal_classes = {};
    std::vector<std::string> transient_classes = {};
    bool honour_terminal = true;  ///< false: nothing is final, only the ceilings end a cycle
    circuit_policy circuit = {};
    int batch_max = 100;  ///< for batch handlers
};

struct worker_options {
    std::string database = {};  ///< URL or key=value string; the rest comes from PG* variables
    std::string consumer = {};
    int concurrency = 16;  ///< handlers running at once, each in a thread of its own
    /// Works for one deployment generation: the channel outbox_gen_<N> alone.
    std::optional<std::int64_t> generation = {};
    /// Refuses a database that belongs to another deployment, such as a copy of production that was
    /// not adopted (`postrider adopt`). When empty: any.
    std::string deployment = {};
    std::string channel = {};     ///< when empty: outbox_default, or the generation's
    bool from_beginning = false;  ///< a new consumer is owed everything the log still holds
    /// Stops by itself as soon as nothing is left that is there or due now: for batch programs.
    bool until_idle = false;
    int batch_max = 1000;        ///< messages per claim
    int in_flight_max = 10'000;  ///< messages held at once
    /// How long the database believes in this worker without a sign of life; sent every third of
    /// it.
    std::chrono::milliseconds alive_for = std::chrono::seconds(30);
    std::chrono::milliseconds stop_grace = std::chrono::seconds(30);
    std::chrono::milliseconds sweep = std::chrono::seconds(30);  ///< look without being woken
    std::chrono::milliseconds poll = std::chrono::seconds(5);    ///< the same while NOTIFY is deaf
    std::chrono::milliseconds patience =
        std::chrono::seconds(20);  ///< for one answer of the server
    /// The default sink when empty. Without one, the worker writes warnings, errors and failed runs
    /// to stderr; std::make_shared<postrider::sink>() is a worker without output. The sink is also
    /// told of messages that handlers publish on the worker's threads.
    std::shared_ptr<postrider::sink> sink = {};
    /// Takes part in telling alerts: to the sink, and to these targets.
    bool alerts = true;
    std::vector<std::shared_ptr<alert_target>> alert_targets = {};
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
/// Wraps every run of a handler of single events; calls `next` or does not. Batch handlers run as
/// they are.
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

/// Runs handlers for a consumer. start(), request_stop() and wait() may be called from any thread;
/// stopping before starting and stopping twice are legal. Handlers run on threads of the worker; it
/// opens two connections, and one per thread that runs transactional handlers. It survives whatever
/// happens to the database and reports changes of its state to the sink.
class POSTRIDER_EXPORT worker {
  public:
    explicit worker(worker_options options);
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    /// Stops, waiting at most the grace period.
    ~worker();

    /// `name` is qualified by its scope ("billing.welcome_email") and stays the same over
    /// deployments.
    /// Forms: (event), (event, context), (event, transaction), (event, transaction, context),
    /// (span of events), (span of events, context), returning nothing, an outcome, or, for spans, a
    /// vector with an outcome for each event. A transactional handler's effect, its inbox entry and
    /// what it publishes commit as one: exactly once per idempotency key.
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
    /// In the order of the calls, the first one outermost.
    worker& use(middleware around);

    /// Registers and begins. Throws when what was asked for cannot work (usage_error,
    /// schema_error); a database that cannot be reached is waited for.
    void start();
    /// Stops claiming, gives back what was not started, lets running handlers finish within the
    /// grace period. Calling it again ends the grace period at once. Safe in a signal handler.
    void request_stop() noexcept;
    /// Until the worker has stopped; what still ran after the grace period was given back.
    void wait();
    /// start(), then until SIGINT, SIGTERM or, unless that is ignored, SIGHUP; a second signal ends
    /// at once, or when an attempt to connect that is under way gives up.
    void run();

    bool running() const noexcept;

    /// Handles everything that is there or due now, then returns: for tests and batch programs.
    /// Gives how many runs there were. Not on a worker that was started.
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
