#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

enum class schedule_change { created, changed, unchanged };
/// definition: JSON, see sql/functions/schedules/define_schedule.sql. A new schedule belongs to the
/// owner of `consumer`, or to the session user.
schedule_change define_schedule(pg::connection& session, std::string_view name,
                                std::string_view definition, const audit_entry& why,
                                const std::optional<std::string>& consumer = {});
void remove_schedule(pg::connection& session, std::string_view name, const audit_entry& why);
void pause_schedule(pg::connection& session, std::string_view name, bool paused,
                    const audit_entry& why);
/// Publishes the message of a schedule now; returns its id.
std::string run_schedule(pg::connection& session, std::string_view name, const audit_entry& why);

/// Instants in a format of PostgreSQL.
struct slot_range {
    std::string from;
    std::string to;
};
struct backfilled {
    std::int64_t fired = 0;
    std::optional<std::string> next_from;  ///< where to continue: the limit was reached
};
backfilled backfill_schedule(pg::connection& session, std::string_view name,
                             const slot_range& range, int limit, const audit_entry& why);

struct slot_question {
    std::string cron;
    std::string time_zone = "UTC";
    std::optional<std::string> from = {};  ///< an instant; empty: now
    int count = 10;
};
/// The next slots: rows with the instant as `slot`, and `local` as clocks of the time zone show it.
listing next_slots(pg::connection& session, const slot_question& question);

struct firing {
    int schedules = 0;  ///< that were due and that no other session fired
    int fired = 0;
    int skipped = 0;
    std::optional<std::chrono::milliseconds> again_in;  ///< empty: no schedule can fire
};
/// Fires the slots that are due, at most `limit`.
firing fire_due(pg::connection& session, int limit);

/// The payload of the NOTIFY for a changed schedule.
inline constexpr std::string_view schedule_note = "schedule";

}  // namespace postrider::store
