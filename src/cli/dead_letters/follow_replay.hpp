#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/context.hpp"
#include "store/operate/replays.hpp"

namespace postrider::cli {

inline constexpr int interrupted_exit = 130;  // 128 + SIGINT
inline constexpr int too_long_exit = 75;      // EX_TEMPFAIL

/// "4,180 delivered, 32 died again, 3 skipped: already replayed"
std::string outcome_line(const store::replay_standing& standing);

/// Runs a replay until it has ended or is paused, with a progress bar on a terminal. Returns the
/// exit code: 0 when no item failed. A signal ends the waiting, not the replay.
int follow_replay(const context& shared, pg::connection& session, std::int64_t replay,
                  std::optional<std::chrono::seconds> timeout);

}  // namespace postrider::cli
