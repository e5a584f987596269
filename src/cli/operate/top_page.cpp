#include "cli/operate/top_page.hpp"

#include <fmt/core.h>

#include <cmath>

#include "base/json/json.hpp"
#include "cli/output/state_words.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/operators.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;
using shade = screen_line::look;

constexpr int trouble_max = 12;
constexpr int workers_max = 200;
constexpr int replays_max = 10;

std::string number(const store::listing& rows, std::string_view column) {
    return thousands(std::stoll(rows.text(0, column)));
}

// A capped rate is a lower bound.
std::string rate(const std::string& per_second, bool capped) {
    return per_second.empty() ? ""
                              : fmt::format("{:.1f}{}", std::round(std::stod(per_second) * 10) / 10,
                                            capped ? "+" : "");
}

std::string backlog_mark(const store::listing& rows, int row) {
    return rows.text(row, "backlog_exact") == "true" ? "" : "~";
}

// Formats seconds: 7s, 3m12s, 5h40m, 3d2h.
std::string age(const std::string& seconds) {
    if (seconds.empty()) {
        return "";
    }
    const auto whole = static_cast<std::int64_t>(std::floor(std::stod(seconds)));
    if (whole < 60) {
        return fmt::format("{}s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{}m{}s", whole / 60, whole % 60);
    }
    if (whole < 86400) {
        return fmt::format("{}h{}m", whole / 3600, whole / 60 % 60);
    }
    return fmt::format("{}d{}h", whole / 86400, whole / 3600 % 24);
}

void add_totals(std::vector<screen_line>& page, const store::listing& totals) {
    page.push_back(
        {fmt::format("postrider top   {}   {}   q quits", printable(totals.text(0, "database")),
                     time_text(totals.text(0, "at"))),
         shade::title});
    page.push_back({fmt::format(
        "published {}/s   taken {}/s   backlog {}{}   in flight {}   retrying {}",
        rate(totals.text(0, "published_per_s"), totals.text(0, "published_capped") == "true"),
        rate(totals.text(0, "taken_per_s"), totals.text(0, "taken_capped") == "true"),
        backlog_mark(totals, 0), number(totals, "backlog"), number(totals, "in_flight"),
        number(totals, "pending"))});
    const bool calm =
        totals.text(0, "died_in_a_minute") == "0" && totals.text(0, "circuits_not_closed") == "0";
    page.push_back(
        {fmt::format("dead letters {}, {} in the last minute   circuits not closed {}   workers {}",
                     number(totals, "dead_letters"), number(totals, "died_in_a_minute"),
                     totals.text(0, "circuits_not_closed"), totals.text(0, "workers")),
         calm ? shade::plain : shade::warning});
}

// A table with a dimmed header; `judge` gives the style of each row.
template <typename Judge>
void add_table(std::vector<screen_line>& page, const store::listing& rows,
               const std::vector<table_column>& columns, std::size_t width, const Judge& judge) {
    page.push_back({""});
    std::string_view text;
    const auto whole = table_text(rows, columns, {}, width);
    text = whole;
    for (int line = -1; !text.empty(); ++line) {
        const auto end = text.find('\n');
        page.push_back({std::string(text.substr(0, end)), line < 0 ? shade::heading : judge(line)});
        text.remove_prefix(end + 1);
    }
}

void add_consumers(std::vector<screen_line>& page, const store::listing& rows, std::size_t width) {
    if (rows.empty()) {
        page.push_back({""});
        page.push_back(
            {"no consumers yet: `postrider work --consumer NAME --on 'TYPE' --exec COMMAND` makes "
             "one"});
        return;
    }
    add_table(
        page, rows,
        {{"consumer", "consumer"},
         {"channel", "channel", kind::text, nullptr, 3},
         {"workers", "workers", kind::number},
         {"rate/s", "", kind::number,
          [](const store::listing& of, int row) {
              return rate(of.text(row, "taken_per_s"), of.text(row, "taken_capped") == "true");
          }},
         {"backlog", "", kind::number,
          [](const store::listing& of, int row) {
              return backlog_mark(of, row) + of.text(row, "backlog");
          }},
         {"oldest", "", kind::number,
          [](const store::listing& of, int row) { return age(of.text(row, "oldest_seconds")); }},
         {"in flight", "in_flight", kind::number, nullptr, 2},
         {"retrying", "pending", kind::number, nullptr, 1},
         {"dead", "dead_letters", kind::number},
         state_column("state", "state", "consumer")},
        width, [&](int row) {
            const auto state = rows.text(row, "state");
            return state == "no_workers" && rows.text(row, "backlog") != "0" ? shade::problem
                   : state != "working"                                      ? shade::warning
                                                                             : shade::plain;
        });
}

void add_trouble(std::vector<screen_line>& page, const store::listing& rows, std::size_t width) {
    if (rows.empty()) {
        page.push_back({""});
        page.push_back({"no failing handlers", shade::heading});
        return;
    }
    add_table(
        page, rows,
        {{"failing handler", "handler"},
         {"consumer", "consumer", kind::text, nullptr, 4},
         {"circuit", "", kind::text,
          [](const store::listing& of, int row) {
              const auto mode = of.text(row, "circuit_mode");
              return mode == "automatic" ? state_text("circuit", of.text(row, "circuit_state"))
                                         : state_text("mode", mode);
          }},
         {"for", "", kind::number,
          [](const store::listing& of, int row) { return age(of.text(row, "open_seconds")); }},
         {"in a row", "failures_in_a_row", kind::number, nullptr, 1},
         {"retrying", "pending", kind::number, nullptr, 2},
         {"dead", "dead_letters", kind::number},
         {"workers", "workers", kind::number, nullptr, 3},
         {"error class", "error_class"}},
        width, [&](int row) {
            return rows.text(row, "circuit_state") != "closed" ? shade::problem : shade::plain;
        });
}

}  // namespace

overview look(pg::connection& session) {
    return {store::top_totals(session), store::top_consumers(session),
            store::top_handlers(session, trouble_max), store::top_workers(session, workers_max),
            store::top_replays(session, replays_max)};
}

std::vector<screen_line> page_of(const overview& now, std::size_t width) {
    std::vector<screen_line> page;
    add_totals(page, now.totals);
    add_consumers(page, now.consumers, width);
    add_trouble(page, now.trouble, width);
    const auto plain = [](int /*row*/) { return shade::plain; };
    if (!now.replays.empty()) {
        add_table(page, now.replays,
                  {{"replay", "replay", kind::number},
                   state_column("phase", "phase", "replay"),
                   {"total", "total", kind::number, nullptr, 1},
                   {"delivered", "delivered", kind::number},
                   {"died again", "failed", kind::number},
                   {"waiting", "waiting", kind::number},
                   {"by", "actor", kind::text, nullptr, 2}},
                  width, plain);
    }
    if (!now.workers.empty()) {
        add_table(
            page, now.workers,
            {{"worker", "", kind::text,
              [](const store::listing& of, int row) {
                  return of.text(row, "worker").substr(0, 8);
              }},
             {"consumer", "consumer"},
             {"generation", "generation", kind::number, nullptr, 2},
             {"in flight", "in_flight", kind::number},
             {"up", "", kind::number,
              [](const store::listing& of, int row) { return age(of.text(row, "up_seconds")); }},
             {"version", "version", kind::text, nullptr, 1},
             {"host", "host", kind::text, nullptr, 3}},
            width, plain);
    }
    return page;
}

std::string json_of(const overview& now) {
    json_object whole;
    whole.add_raw("totals", now.totals.json(0))
        .add_raw("consumers", now.consumers.array())
        .add_raw("trouble", now.trouble.array())
        .add_raw("replays", now.replays.array())
        .add_raw("workers", now.workers.array());
    return printable_json(whole.text());
}

}  // namespace postrider::cli
