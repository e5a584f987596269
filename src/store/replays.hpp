#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/dead_letters.hpp"

namespace postrider::store {

/// What a replay with this filter would give a new cycle.
struct preview {
    std::int64_t total = 0;
    std::string json;  ///< sql/functions/replay/replay_preview.sql
};
preview replay_preview(pg::connection& session, const dead_filter& filter, int samples = 5);

/// One list of a preview ('handlers', 'event_types', 'fingerprints' or 'samples') as rows.
listing preview_rows(pg::connection& session, const preview& shown, std::string_view part);

struct replay_request {
    dead_filter filter;
    deed why;
    int canary = 0;                               ///< so many run first
    std::optional<double> rate = {};              ///< per second
    std::optional<std::int64_t> generation = {};  ///< where they run; nothing: where they are
};

/// Freezes the set and gives the replay's id; replay_step() moves it.
std::int64_t replay_start(pg::connection& session, const replay_request& request);
/// The same, but somebody else has to approve it before anything moves.
std::int64_t replay_propose(pg::connection& session, const replay_request& request);
/// What was shown to the one who proposed it.
preview replay_proposal(pg::connection& session, std::int64_t replay);
/// token: the SHA-256 in hex of the access token of whoever approves, if there is one. It tells
/// people apart for whom one database user acts.
void replay_approve(pg::connection& session, std::int64_t replay, const deed& why,
                    std::string_view token = {});

struct replay_moved {
    std::int64_t replay;
    int moved;
    int skipped;
    std::string phase;
    std::optional<std::chrono::microseconds> again_in;  ///< nothing: it has ended or pauses
};

/// Moves the next items of all replays that are under way, or of one of them.
std::vector<replay_moved> replay_step(pg::connection& session,
                                      std::optional<std::int64_t> replay = {}, int limit = 1000);

struct replay_standing {
    std::string phase;
    int total;
    int waiting;
    int moved;
    int delivered;
    int failed;
    int skipped;
    int cancelled;
    std::string notes;  ///< why some were skipped

    bool ended() const { return phase == "finished" || phase == "cancelled"; }
};

/// Throws message_not_found when there is no such replay.
replay_standing replay_status(pg::connection& session, std::int64_t replay);

/// How it stands in one sentence.
std::string replay_summary(pg::connection& session, std::int64_t replay);

void replay_pause(pg::connection& session, std::int64_t replay, const deed& why);
void replay_resume(pg::connection& session, std::int64_t replay, const deed& why);
void replay_cancel(pg::connection& session, std::int64_t replay, const deed& why);

/// The newest first; `active`: only those that have not ended: proposed, under way or paused.
enum class which_replays { all, active, proposed };
listing replays(pg::connection& session, which_replays which, int limit);
listing replay(pg::connection& session, std::int64_t replay);
/// Its items in their order; an empty outcome means any.
listing replay_items(pg::connection& session, std::int64_t replay, std::string_view outcome,
                     int limit);

}  // namespace postrider::store
