#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <postrider/alert.hpp>
#include <postrider/sink.hpp>
#include <postrider/sinks_export.hpp>
#include <string>
#include <utility>
#include <vector>

// Ready-made sinks, in a library of their own (postrider::sinks). All of them may be called from
// many threads at once, never throw into their caller and never wait for a reader or a network.
// None of them ever sees a payload. Combine them with fan_out(). And ready-made targets of alerts.

namespace prometheus {
class Registry;
}

namespace postrider {

struct json_lines_options {
    std::string to = "stderr";  ///< "stdout", "stderr" or the path of a file to append to
    std::string service = "postrider";
    postrider::level least = level::info;      ///< lower levels are not written
    postrider::level published = level::info;  ///< of publications
    postrider::level delivered = level::info;  ///< of successful runs
    std::size_t rotate_bytes = 0;  ///< of a file: begin a new one at this size; 0: never
    std::size_t rotate_files = 5;  ///< rotated files to keep
};

/// One JSON object per line; docs/reference/log.md lists its fields. While a pipe is full, lines
/// are dropped; the next line that fits is preceded by one with their number. Throws error when the
/// file cannot be opened.
POSTRIDER_SINKS_EXPORT std::shared_ptr<sink> json_lines_sink(json_lines_options options = {});

/// A sink that keeps metrics; docs/reference/metrics.md lists them.
class POSTRIDER_SINKS_EXPORT metrics_sink : public sink {
  public:
    metrics_sink() = default;
    ~metrics_sink() override;
    /// All metrics in Prometheus' text format, for the program's own /metrics endpoint.
    virtual std::string exposition() const = 0;
    /// The port of the metrics endpoint; 0 when no port was opened.
    virtual int port() const = 0;
};

struct prometheus_options {
    /// Address and port that answer GET /metrics; port 0 means any free port, an empty text opens
    /// none. Default: 127.0.0.1:9464 without a registry, none with one.
    std::optional<std::string> listen = {};
    /// Counts into the program's own registry, which serves it. Null: a new one.
    std::shared_ptr<prometheus::Registry> registry = {};
};

/// Throws error when the port cannot be opened.
POSTRIDER_SINKS_EXPORT std::shared_ptr<metrics_sink> prometheus_sink(
    prometheus_options options = {});

struct span_counts {
    std::uint64_t sent = 0;     ///< accepted by the collector
    std::uint64_t dropped = 0;  ///< the queue was full, or the collector did not accept them
    std::size_t waiting = 0;
};

/// A sink that exports spans.
class POSTRIDER_SINKS_EXPORT trace_sink : public sink {
  public:
    trace_sink() = default;
    ~trace_sink() override;
    virtual span_counts counts() const = 0;
    /// Sends all waiting spans at once; false when `timeout` has passed before that.
    virtual bool flush(std::chrono::milliseconds timeout) = 0;
};

struct otlp_options {
    std::string endpoint = "http://127.0.0.1:4318";  ///< the collector; /v1/traces is added
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< e.g. authorization
    std::string service = "postrider";
    std::size_t queue_max = 10'000;                                   ///< spans; more are dropped
    std::size_t batch_max = 512;                                      ///< spans per request
    std::chrono::milliseconds batch_delay = std::chrono::seconds(1);  ///< wait for a full batch
    std::chrono::milliseconds timeout = std::chrono::seconds(10);     ///< of one request
    std::chrono::milliseconds retry_first = std::chrono::milliseconds(500);
    std::chrono::milliseconds retry_last = std::chrono::seconds(30);
    std::chrono::milliseconds retry_for = std::chrono::minutes(5);  ///< then the batch is dropped
    std::chrono::milliseconds flush_timeout =
        std::chrono::seconds(5);  ///< for waiting spans, at the end
    /// Receives a report when spans cannot be sent, are dropped, and are sent again: once per
    /// change. Null: a line on stderr.
    std::shared_ptr<sink> problems = {};
};

/// OpenTelemetry spans over HTTP, encoded as JSON: a producer span per publication and a consumer
/// span per run, of traced messages. A background thread sends them. Throws error when the
/// endpoint is not an http or https address.
POSTRIDER_SINKS_EXPORT std::shared_ptr<trace_sink> otlp_sink(otlp_options options = {});

struct webhook_options {
    std::string url = {};  ///< may hold a secret: it is never shown
    /// Name of the target. Empty: "webhook-" and eight digits derived from the address. Processes
    /// with the same name share its alerts and must send to the same address
    /// (docs/guides/alerts.md).
    std::string name = {};
    std::string bearer_token = {};  ///< sent as Authorization, when there is one
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
};

/// Posts every alert as a JSON object; docs/guides/alerts.md lists its members. A status from 200
/// to 299 accepts it. Throws error when the address is not an http or https URL.
POSTRIDER_SINKS_EXPORT std::shared_ptr<alert_target> webhook_target(webhook_options options);

struct sentry_options {
    std::string dsn = {};   ///< https://<key>@<host>/<project>; never shown
    std::string name = {};  ///< as a webhook's: "sentry-" and eight digits when empty
    std::string environment = {};
    std::string release = {};
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
};

/// Sends every alert to Sentry as an event in an envelope. Throws error when the DSN is invalid.
POSTRIDER_SINKS_EXPORT std::shared_ptr<alert_target> sentry_target(sentry_options options);

}  // namespace postrider
