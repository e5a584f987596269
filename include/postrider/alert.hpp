#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/export.hpp>
#include <stop_token>
#include <string>

namespace postrider {

/// The record that a cycle died, a circuit opened, too many messages wait for an ordering key, or
/// such a backlog has ended. A cycle that dies raises exactly one.
struct alert {
    std::int64_t id = 0;    ///< the same for every attempt to send it
    std::string kind = {};  ///< dead_letter, key_backlog, key_released, circuit_opened
    std::chrono::system_clock::time_point at = {};
    std::optional<std::string> event_id = {};
    std::optional<std::string> event_type = {};
    std::optional<std::string> source = {};
    std::optional<std::string> target = {};
    std::string handler_name = {};
    std::optional<std::string> last_error = {};
    std::optional<int> attempts = {};
    std::string consumer = {};
    std::string channel = {};
    std::optional<int> cycle = {};
    std::optional<std::string> fingerprint = {};
    std::optional<std::string> error_class = {};
    int tries = 1;  ///< number of attempts to send it to this target, this one included
};

/// The result of sending an alert.
struct alert_answer {
    bool sent = true;
    std::string problem = {};  ///< reason of the failure, for people; no secrets
    /// The target is down: other alerts would not arrive now, either.
    bool target_down = false;
    std::chrono::seconds retry_after{0};  ///< above 10 minutes counts as 10 minutes
};

/// A destination of alerts. All workers that have a target of the same name share its alerts:
/// each is sent by one of them. Each worker calls it on one thread per target. The calls may block:
/// nothing else waits for them.
class POSTRIDER_EXPORT alert_target {
  public:
    alert_target() = default;
    alert_target(const alert_target&) = delete;
    alert_target& operator=(const alert_target&) = delete;
    virtual ~alert_target();

    /// 1 to 127 bytes; unsent alerts are kept under this name.
    virtual std::string name() const = 0;
    /// A fingerprint of its address, at most 127 bytes and without secrets. If workers have targets
    /// with the same name and different fingerprints, only the workers with the newest fingerprint
    /// send; the others report `alert_target_conflict`. Empty: not compared.
    virtual std::string configuration() const;
    /// Maximum duration of a call of send().
    virtual std::chrono::milliseconds timeout() const;
    /// An exception counts as a failure. Returns soon after a stop request.
    virtual alert_answer send(const alert& record, std::stop_token stop) = 0;
};

}  // namespace postrider
