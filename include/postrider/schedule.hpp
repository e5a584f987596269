#pragma once

#include <chrono>
#include <postrider/message.hpp>
#include <string>

namespace postrider {

/// The policy for a slot while the schedule's last message is unfinished. It is unfinished until it
/// has ended, retries included, for every consumer that takes it.
enum class overlap_policy {
    allow,     ///< published all the same
    skip,      ///< skipped
    queue_one  ///< held back until the message has ended; further slots are skipped
};

/// A message that workers publish at scheduled times. The transaction that publishes it also moves
/// the schedule on, so each slot fires once, even if workers compete or crash.
///
///   worker.schedule({.name = "nightly-report", .cron = "0 3 * * *", .message = {.event_type =
///   "report.due"}, .time_zone = "Europe/Berlin"});
struct schedule {
    std::string name = {};  ///< 1 to 127 of a-z, 0-9, '_', '-' and '.'
    /// Minute, hour, day of month, month, day of week; six fields begin with the second. Or
    /// "@every 1h30m", "@hourly", "@daily", "@weekly", "@monthly", "@yearly".
    std::string cron = {};
    /// Its id, idempotency key and occurred_at follow from the slot and must not be given, nor
    /// available_at. Without a source: "schedule:" and the name.
    postrider::message message = {};
    std::string time_zone = "UTC";  ///< a name of the IANA database
    overlap_policy overlap = overlap_policy::allow;
    /// Slots missed by less than this fire late; older ones are skipped. 10 seconds to 366 days.
    std::chrono::seconds catch_up = std::chrono::hours(1);
    /// Jitter: each slot is due later by a delay of its own, up to this much. At most a day.
    std::chrono::milliseconds jitter = std::chrono::milliseconds(0);
};

}  // namespace postrider
