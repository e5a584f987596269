#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <postrider/error.hpp>

#include "cli/commands.hpp"
#include "cli/operating.hpp"
#include "cli/screen.hpp"
#include "cli/terminal_text.hpp"
#include "cli/times.hpp"
#include "cli/top_page.hpp"

namespace postrider::cli {
namespace {

using std::chrono::milliseconds;

struct top_options {
    std::string interval = "1s";
    bool once = false;
    bool no_colour = false;
};

void print_once(const context& shared, pg::connection& session) {
    const auto now = look(session);
    if (shared.json) {
        fmt::print("{}\n", json_of(now));
        return;
    }
    for (const auto& line : page_of(now)) {
        fmt::print("{}\n", line.text);
    }
}

void stream_json(pg::connection& session, milliseconds interval) {
    const stop_signal stop;
    do {
        fmt::print("{}\n", json_of(look(session)));
        if (std::fflush(stdout) != 0) {
            return;  // nobody reads any more
        }
    } while (!stop.wait_for(interval));
}

// Looks; a connection that is lost is opened again at the next look.
std::vector<screen_line> look_or_say_why(std::optional<operator_session>& session,
                                         const context& shared) {
    try {
        if (!session) {
            session.emplace(shared);
        }
        return page_of(look(*session));
    } catch (const error& problem) {
        if (!problem.connection_lost()) {
            throw;
        }
        session.reset();
        return {{"postrider top   q quits", screen_line::look::title},
                {""},
                {"the database cannot be reached; trying again", screen_line::look::problem},
                {printable(problem.what())}};
    }
}

void watch(const context& shared, const top_options& given, milliseconds interval) {
    const stop_signal stop;
    std::optional<operator_session> session;
    session.emplace(shared);
    const screen page(stop, colours_wanted() && !given.no_colour);
    auto event = screen::event::refresh;
    auto next = std::chrono::steady_clock::now();
    std::vector<screen_line> lines;
    while (event != screen::event::quit) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= next) {
            lines = look_or_say_why(session, shared);
            next = now + interval;
        }
        page.draw(lines);
        event = page.wait(std::chrono::ceil<milliseconds>(
            std::max(next - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0))));
    }
}

}  // namespace

void add_top(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("top", "Watch how it goes, live");
    const auto given = std::make_shared<top_options>();
    command->add_option("--interval", given->interval, "how often to look")->capture_default_str();
    command->add_flag("--once", given->once, "print one page and end");
    command->add_flag("--no-color", given->no_colour, "as NO_COLOR in the environment");
    command->footer(
        "Rates are those of the last five seconds; a number with + was counted no further. Keys: q "
        "quits, the\nspace bar draws again. With --json every look is one line.\n\n"
        "Examples:\n"
        "  postrider top\n"
        "  postrider top --once\n"
        "  postrider top --json --once | jq '.consumers[] | {consumer, backlog}'\n"
        "  postrider top --json --interval 10s >> watch.jsonl");
    command->callback([&shared, given] {
        const auto interval = parse_duration(given->interval, "--interval");
        if (interval < milliseconds(100)) {
            throw usage_error("--interval: at least 100ms");
        }
        if (given->once || shared.json) {
            operator_session session(shared);
            given->once ? print_once(shared, session) : stream_json(session, interval);
        } else {
            watch(shared, *given, interval);
        }
    });
}

}  // namespace postrider::cli
