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

// The next line, without its end. Of one that is too long nothing is kept.
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

void serve(const context& shared, const mcp_options& given) {
    const open_database database(shared);
    mcp::server server({.database = database.conninfo(),
                        .person = given.person,
                        .agent = given.agent,
                        .may = {.payloads = given.payloads, .direct = given.replay == "direct"}});
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
    auto* command = app.add_subcommand("mcp", "Tools for agents, by the Model Context Protocol");
    const auto given = std::make_shared<mcp_options>();
    command->add_option("--agent", given->agent,
                        "its name in the audit (default: the one it gives itself)");
    command->add_option("--person", given->person, "for whom it works; default: user and host");
    command
        ->add_option("--replay", given->replay,
                     "propose: a person approves what it asks for; direct: it starts at once")
        ->check(CLI::IsMember({"propose", "direct"}))
        ->capture_default_str();
    command->add_flag("--payloads", given->payloads,
                      "let it see payloads, headers and metadata of dead letters");
    command->footer(
        "Speaks JSON-RPC 2.0 on standard input and output, a message per line, until its input "
        "ends.\nTools: overview, doctor, list_consumers, list_dlq_groups, list_dlq_events, "
        "get_dlq_event_detail,\nreplay_dlq_event, replay_status.\n\n"
        "Examples:\n"
        "  postrider mcp                                     as the command of an MCP client\n"
        "  postrider mcp --agent night-watch --replay direct\n"
        "  postrider replay list --proposed                  what waits for a person");
    command->callback([&shared, given] { serve(shared, *given); });
}

}  // namespace postrider::cli
