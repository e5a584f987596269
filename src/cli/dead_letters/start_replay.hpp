#pragma once

#include "cli/context.hpp"
#include "pg/connection.hpp"
#include "store/replays.hpp"

namespace CLI {
class App;
}

namespace postrider::cli {

/// The options of a command that starts a replay, and what it does: preview, confirmation, start.
void add_start_replay(CLI::App& command, context& shared);

/// What a filter means, for people.
void print_preview(pg::connection& session, const store::preview& shown);

}  // namespace postrider::cli
