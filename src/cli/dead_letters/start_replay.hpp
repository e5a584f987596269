#pragma once

#include "cli/context.hpp"
#include "pg/connection.hpp"
#include "store/operate/replays.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// Adds the options of a command that starts a replay, and its callback: preview, confirm, start.
void add_start_replay(CLI::App& command, context& shared);

/// The maximum number of dead letters that a change after this preview may have: the number shown,
/// or a given smaller one.
store::expected_count expected_of(const store::expected_count& requested,
                                  const store::preview& shown);

/// Prints the preview of a replay.
void print_preview(pg::connection& session, const store::preview& shown);

}  // namespace postrider::cli
