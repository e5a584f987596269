#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// Tries to become the keeper of a channel until the session ends.
bool doorbell_keep(pg::connection& session, std::string_view channel);

/// Releases the doorbell that this session holds.
void doorbell_release(pg::connection& session, std::string_view channel);

/// Called by the keeper: wakes all workers; returns the newest sequence number of the log.
std::int64_t doorbell_relay(pg::connection& session, std::string_view channel);

struct doorbell_facts {
    std::string wake;
    std::vector<std::string> silent;  ///< open transactions that published without NOTIFY
    int commit_waiters;               ///< transactions waiting for the commit lock of NOTIFY
};
doorbell_facts doorbell_watch(pg::connection& session, std::string_view channel);

enum class announcement {
    kept,      ///< NOTIFY announces every message
    unkept,    ///< the channel has no keeper
    unserved,  ///< a session holds the keeper's lock without the doorbell
    poll       ///< the channel's wake is 'never'
};
struct doorbell_state {
    announcement state;
    std::string holder;  ///< of the lock, if unserved
};
doorbell_state doorbell_state_of(pg::connection& session, std::string_view channel);

/// Wakes all workers of a channel; `note` is one of those below or empty.
void wake_all(pg::connection& session, std::string_view channel, std::string_view note = {});

/// The payload of replay_start() and replay_resume().
inline constexpr std::string_view replay_note = "replay";
/// The payload of doorbell_relay(): more messages may follow without a NOTIFY of their own.
inline constexpr std::string_view relay_note = "relay";
/// A worker stopped, and the channel may need another keeper.
inline constexpr std::string_view keeper_note = "keeper";

/// Fill level of the server's notification queue, from 0 to 1.
double notification_queue_usage(pg::connection& session);

}  // namespace postrider::store
