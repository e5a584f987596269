#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/mcp/mcp_server.hpp"
#include "cli/mcp/rpc.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

constexpr std::size_t line_max = std::size_t{1} << 20U;

struct mcp_options {
    std::string agent;
    std::string person = whoami();
    std::string replay = "propose";
    bool payloads = false;
};

enum class reading { line, too_long, ended };

// The next line, without its line feed; empty if it exceeds the limit.
reading read_line(std::string& line) {
    line.clear();
    bool too_long = false;
    for (int letter = std::getc(stdin); letter != EOF; letter = std::getc(stdin)) {
        if (letter == '\n') {
            return too_long ? reading::too_long : reading::line;
        }
        if (line.size() == line_max) {
            too_long = true;
        } else {
            line += static_cast<char>(letter);
        }
    }
    return too_long ? reading::too_long : line.empty() ? reading::ended : reading::line;
}

void serve(const context& shared, const mcp_options& options) {
    const open_database database(shared);
    mcp::server server(
        {.database = database.conninfo(),
         .person = options.person,
         .agent = options.agent,
         .may = {.payloads = options.payloads, .direct = options.replay == "direct"}});
    std::string line;
    for (auto got = read_line(line); got != reading::ended; got = read_line(line)) {
        const auto reply = got == reading::too_long
                               ? rpc::refuse_length(line_max)
                               : rpc::answer(line, [&](const rpc::request& asked) {
                                     return server.handle(asked);
                                 });
        if (!reply.empty()) {
            fmt::print("{}\n", printable_json(reply));
            std::fflush(stdout);
        }
    }
}

}  // namespace

void add_mcp(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("mcp", "Tools for agents (Model Context Protocol)");
    const auto options = std::make_shared<mcp_options>();
    command->add_option("--agent", options->agent,
                        "name of the agent in the audit (default: the name it reports)");
    command->add_option("--person", options->person,
                        "person the agent acts for (default: user and host)");
    command
        ->add_option(
            "--replay", options->replay,
            "propose: a person approves its replays; direct: its replays start immediately")
        ->check(CLI::IsMember({"propose", "direct"}))
        ->capture_default_str();
    command->add_flag("--payloads", options->payloads,
                      "allow access to payloads, headers and metadata of dead letters");
    command->footer(
        "Speaks JSON-RPC 2.0 on standard input and output, one message per line, until end of "
        "input.\nTools: overview, doctor, list_consumers, list_dlq_groups, list_dlq_events, "
        "get_dlq_event_detail,\npreview_replay, replay_dlq_event, replay_status.\n\n"
        "Examples:\n"
        "  postrider mcp                                     as the command of an MCP client\n"
        "  postrider mcp --agent night-watch --replay direct\n"
        "  postrider replay list --proposed                  proposals that wait for approval");
    command->callback([&shared, options] { serve(shared, *options); });
}

}  // namespace postrider::cli
