#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

/// The dead letters that a replay with this filter would move.
struct preview {
    std::int64_t total = 0;
    std::string json;        ///< sql/functions/replay/replay_preview.sql
    dead_filter fixed = {};  ///< the filter; without ids, it excludes later dead letters
};
preview replay_preview(pg::connection& session, const dead_filter& filter, int samples = 5);

/// One list of a preview ('handlers', 'event_types', 'fingerprints' or 'samples') as rows.
listing preview_rows(pg::connection& session, const preview& shown, std::string_view part);

struct replay_request {
    dead_filter filter;
    audit_entry why;
    int canary = 0;                   ///< number of items that run first
    std::optional<double> rate = {};  ///< per second
    std::optional<std::int64_t> generation =
        {};  ///< channel generation to move them to; empty: unchanged
    expected_count expected = {};
};

/// Freezes the set and returns the replay's id; replay_step() moves its items.
std::int64_t replay_start(pg::connection& session, const replay_request& request);
/// The same, but another person has to approve the replay before it starts.
std::int64_t replay_propose(pg::connection& session, const replay_request& request);
/// The preview that was recorded with the proposal.
preview replay_proposal(pg::connection& session, std::int64_t replay);
/// token: SHA-256 in hex of the approver's access token, if any. It distinguishes people who share
/// one database user.
void replay_approve(pg::connection& session, std::int64_t replay, const audit_entry& why,
                    std::string_view token = {});

struct replay_moved {
    std::int64_t replay;
    int moved;
    int skipped;
    std::string phase;
    std::optional<std::chrono::microseconds> again_in;  ///< empty: it has ended or is paused
};

/// Moves the next items of all running replays, or of one.
std::vector<replay_moved> replay_step(pg::connection& session,
                                      std::optional<std::int64_t> replay = {}, int limit = 1000);
/// The same without waiting for the answer, which replay_moves() reads.
void send_replay_step(pg::connection& session, int limit);
std::vector<replay_moved> replay_moves(const pg::result& rows);

struct replay_standing {
    std::string phase;
    int total;
    int waiting;
    int moved;
    int delivered;
    int failed;
    int skipped;
    int cancelled;
    std::string notes;  ///< reasons for skipped items

    bool ended() const { return phase == "finished" || phase == "cancelled"; }
};

/// Throws message_not_found for an unknown replay.
replay_standing replay_status(pg::connection& session, std::int64_t replay);

/// Progress in one sentence.
std::string replay_summary(pg::connection& session, std::int64_t replay);

void replay_pause(pg::connection& session, std::int64_t replay, const audit_entry& why);
void replay_resume(pg::connection& session, std::int64_t replay, const audit_entry& why);
void replay_cancel(pg::connection& session, std::int64_t replay, const audit_entry& why);

}  // namespace postrider::store
