#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <postrider/alert.hpp>
#include <postrider/export.hpp>
#include <string>
#include <string_view>

namespace postrider {

/// A W3C trace context as hexadecimal text; empty when there is none.
struct trace_ids {
    std::string trace_id = {};        ///< 32 digits
    std::string span_id = {};         ///< 16 digits: this operation
    std::string parent_span_id = {};  ///< 16 digits, or empty for the first of its trace
    bool sampled = true;              ///< the sampled flag of the trace
};

/// One message was published (it becomes visible when its transaction commits).
struct publish_record {
    std::chrono::system_clock::time_point at = {};
    std::string_view message_id = {};
    std::string_view event_type = {};
    std::string_view source = {};
    std::optional<std::string_view> target = {};
    std::optional<std::string_view> workspace_id = {};
    std::string_view channel = {};
    const trace_ids* trace = nullptr;  ///< null: not traced
};

/// One run of a handler ended.
struct handle_record {
    std::chrono::system_clock::time_point started_at = {};
    std::chrono::nanoseconds duration = {};
    std::string_view message_id = {};
    std::string_view event_type = {};
    std::string_view source = {};
    std::optional<std::string_view> target = {};
    std::optional<std::string_view> workspace_id = {};
    std::string_view consumer = {};
    std::string_view handler = {};
    int attempts = 1;  ///< this one included
    std::string_view outcome =
        {};  ///< delivered, transient, terminal, snooze, interrupted, duplicate
    std::string_view error = {};
    std::string_view error_class = {};
    const trace_ids* trace = nullptr;
};

enum class level { debug, info, warning, error };

/// A state change of the worker, reported once per change.
struct state_record {
    std::chrono::system_clock::time_point at = {};
    postrider::level level = level::info;
    std::string_view consumer = {};
    std::string_view state = {};    ///< a short stable word, e.g. "connection_lost"
    std::string_view message = {};  ///< for people
};

/// Gauges of a worker, sent about once a second while they change.
struct worker_figures {
    std::string_view consumer = {};
    int in_flight = 0;  ///< messages held: running and waiting for a thread
    int running = 0;
    bool listening = false;  ///< NOTIFY arrives
    bool keeper = false;
    std::string_view operation =
        {};  ///< of the latency below: exchange, claim_due, settle_due, ...
    std::chrono::nanoseconds operation_time = {};
    /// How full the server's queue of notifications is, from 0 to 1; only now and then.
    std::optional<double> notification_queue = {};
};

/// Receives the reports of workers and publishers. Called from many threads at once; must not block
/// and must not throw (exceptions are ignored). All functions do nothing unless overridden.
class POSTRIDER_EXPORT sink {
  public:
    sink() = default;
    sink(const sink&) = delete;
    sink& operator=(const sink&) = delete;
    virtual ~sink();
    virtual void published(const publish_record& record);
    virtual void handled(const handle_record& record);
    virtual void state_changed(const state_record& record);
    virtual void figures(const worker_figures& record);
    /// Exactly one of the workers with a sink reports each alert.
    virtual void alerted(const alert& record);
};

/// The sink of publish() and of workers without a sink of their own. Null: none; workers then log
/// to stderr.
POSTRIDER_EXPORT void set_default_sink(std::shared_ptr<sink> to);
POSTRIDER_EXPORT std::shared_ptr<sink> default_sink();

/// Reports to both sinks; an exception of one does not affect the other.
POSTRIDER_EXPORT std::shared_ptr<sink> fan_out(std::shared_ptr<sink> first,
                                               std::shared_ptr<sink> second);

}  // namespace postrider
