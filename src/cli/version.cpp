#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <postrider/version.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"

namespace postrider::cli {

void add_version(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("version", "Print the version");
    command->footer("Example:\n  postrider version --json");
    command->callback([&shared] {
        if (shared.json) {
            fmt::print("{}\n", json_object().add("version", version()).text());
        } else {
            fmt::print("postrider {}\n", version());
        }
    });
}

}  // namespace postrider::cli
