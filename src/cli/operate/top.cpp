#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <postrider/error.hpp>

#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/operate/top_page.hpp"
#include "cli/output/say.hpp"
#include "cli/output/screen.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"

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
    for (const auto& line : page_of(now, terminal_columns(STDOUT_FILENO))) {
        fmt::print("{}\n", line.text);
    }
}

constexpr auto unreachable = "cannot connect to the database; retrying";

// Takes a sample. On a connection loss returns the error; the next call reconnects.
std::optional<std::string> look_again(std::optional<operator_session>& session,
                                      const context& shared, std::optional<overview>& seen) {
    try {
        if (!session) {
            session.emplace(shared);
        }
        seen.emplace(look(*session));
        return std::nullopt;
    } catch (const error& problem) {
        if (!problem.connection_lost()) {
            throw;
        }
        session.reset();
        return printable(problem.what());
    }
}

void stream_json(const context& shared, milliseconds interval) {
    const stop_signal stop;
    std::optional<operator_session> session;
    session.emplace(shared);
    std::optional<overview> seen;
    do {
        if (const auto why = look_again(session, shared, seen)) {
            say("postrider: {}: {}\n", unreachable, *why);
            continue;
        }
        fmt::print("{}\n", json_of(*seen));
        if (std::fflush(stdout) != 0) {
            return;  // the reader has closed the pipe
        }
    } while (!stop.wait_for(interval));
}

std::vector<screen_line> look_or_say_why(std::optional<operator_session>& session,
                                         const context& shared, std::size_t width) {
    std::optional<overview> seen;
    if (const auto why = look_again(session, shared, seen)) {
        return {{"postrider top   q quits", screen_line::look::title},
                {""},
                {unreachable, screen_line::look::problem},
                {*why}};
    }
    return page_of(*seen, width);
}

void watch(const context& shared, const top_options& options, milliseconds interval) {
    const stop_signal stop;
    std::optional<operator_session> session;
    session.emplace(shared);
    const screen page(stop, colours_wanted() && !options.no_colour);
    auto event = screen::event::refresh;
    auto next = std::chrono::steady_clock::now();
    std::vector<screen_line> lines;
    while (event != screen::event::quit) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= next) {
            lines = look_or_say_why(session, shared, page.measure().columns);
            next = now + interval;
        }
        page.draw(lines);
        event = page.wait(std::chrono::ceil<milliseconds>(
            std::max(next - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0))));
    }
}

}  // namespace

void add_top(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("top", "Watch rates, backlog and problems live");
    const auto options = std::make_shared<top_options>();
    command->add_option("--interval", options->interval, "refresh interval")->capture_default_str();
    command->add_flag("--once", options->once, "print one page and exit");
    command->add_flag("--no-color", options->no_colour,
                      "no colors, like the environment variable NO_COLOR");
    command->footer(
        "Rates are averages of the last five seconds; a number with + is a lower bound. Keys: q "
        "quits, the\nspace bar refreshes. With --json every sample is one line.\n\n"
        "Examples:\n"
        "  postrider top\n"
        "  postrider top --once\n"
        "  postrider top --json --once | jq '.consumers[] | {consumer, backlog}'\n"
        "  postrider top --json --interval 10s >> watch.jsonl");
    command->callback([&shared, options] {
        const auto interval = parse_duration(options->interval, "--interval");
        if (interval < milliseconds(100)) {
            throw usage_error("--interval: at least 100ms");
        }
        if (options->once) {
            operator_session session(shared);
            print_once(shared, session);
        } else if (shared.json) {
            stream_json(shared, interval);
        } else {
            watch(shared, *options, interval);
        }
    });
}

}  // namespace postrider::cli
