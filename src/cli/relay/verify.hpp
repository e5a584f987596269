#pragma once

#include <CLI/CLI.hpp>

#include "cli/context.hpp"

namespace postrider::cli {

/// `postrider relay verify`.
void add_relay_verify(CLI::App& relay, context& shared);

}  // namespace postrider::cli
