#pragma once

#include <string_view>

#include "pg/connection.hpp"

namespace postrider::store {

/// Tries to become the one worker of a channel whose sleep makes producers ring, for as long as the
/// session lasts.
bool doorbell_keep(pg::connection& session, std::string_view channel);

enum class sleep_answer {
    asleep,  ///< every publication rings from now on: claim once more, then wait
    busy,    ///< a publication that did not ring is about to commit: claim again soon
    poll     ///< nothing rings on this channel
};

/// The keeper asks whether it may wait for a notification.
sleep_answer doorbell_sleep(pg::connection& session, std::string_view channel);
/// The keeper is awake again: producers need not ring.
void doorbell_wake(pg::connection& session, std::string_view channel);

/// Wakes everybody who listens, asleep on the bell or not: there is more to do than one can take.
void wake_all(pg::connection& session, std::string_view channel);

/// What replay_start() and replay_resume() say to everybody who works.
inline constexpr std::string_view replay_note = "replay";

/// How full the server's queue of notifications is, from 0 to 1.
double notification_queue_usage(pg::connection& session);

}  // namespace postrider::store
