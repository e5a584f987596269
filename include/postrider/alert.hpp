#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <postrider/export.hpp>
#include <stop_token>
#include <string>

namespace postrider {

/// A cycle died, a circuit opened, or too many messages wait for an ordering key. There is exactly
/// one per cycle.
struct alert {
    std::int64_t id = 0;    ///< the same however often it is sent
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
    std::string problem = {};  ///< why not, for people; no secrets
    /// The target is down: other alerts would not arrive now, either.
    bool target_down = false;
    std::chrono::seconds retry_after{0};  ///< at most 10 minutes are honoured
};

/// A destination of alerts. All workers that have a target of the same name share its alerts:
/// each is sent by one of them. Called from one thread per worker and target, which may take its
/// time: nothing else waits for it.
class POSTRIDER_EXPORT alert_target {
  public:
    alert_target() = default;
    alert_target(const alert_target&) = delete;
    alert_target& operator=(const alert_target&) = delete;
    virtual ~alert_target();

    /// 1 to 127 bytes; unsent alerts are kept under this name.
    virtual std::string name() const = 0;
    /// A fingerprint of its address, at most 127 bytes and without secrets. Of
    /// workers whose targets have one name and different fingerprints, only those with the newest
    /// send; the others report `alert_target_conflict`. Empty: not compared.
    virtual std::string configuration() const;
    /// The longest a call of send() can take.
    virtual std::chrono::milliseconds timeout() const;
    /// An exception counts as a failure. Returns soon after a stop request.
    virtual alert_answer send(const alert& record, std::stop_token stop) = 0;
};

}  // namespace postrider
