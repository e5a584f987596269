#include "cli/operate/top_page.hpp"

#include <fmt/core.h>

#include "base/json.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/watch.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;
using shade = screen_line::look;

constexpr int trouble_max = 12;
constexpr int workers_max = 200;
constexpr int replays_max = 10;

std::string number(const store::listing& rows, std::string_view column) {
    return thousands(std::stoll(std::string(rows.text(0, column))));
}

void add_totals(std::vector<screen_line>& page, const store::listing& totals) {
    page.push_back(
        {fmt::format("postrider top   {}   {}   q quits", printable(totals.text(0, "database")),
                     time_text(totals.text(0, "at"))),
         shade::title});
    page.push_back(
        {fmt::format("published {}/s   taken {}/s   backlog {}{}   in flight {}   pending {}",
                     totals.text(0, "published_rate"), totals.text(0, "taken_rate"),
                     totals.text(0, "backlog_mark"), number(totals, "backlog"),
                     number(totals, "in_flight"), number(totals, "pending"))});
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
               const std::vector<table_column>& columns, const Judge& judge) {
    page.push_back({""});
    std::string_view text;
    const auto whole = table_text(rows, columns);
    text = whole;
    for (int line = -1; !text.empty(); ++line) {
        const auto end = text.find('\n');
        page.push_back({std::string(text.substr(0, end)), line < 0 ? shade::heading : judge(line)});
        text.remove_prefix(end + 1);
    }
}

void add_consumers(std::vector<screen_line>& page, const store::listing& rows) {
    if (rows.empty()) {
        page.push_back({""});
        page.push_back(
            {"no consumers yet: `postrider work --consumer NAME --on 'TYPE' --exec COMMAND` makes "
             "one"});
        return;
    }
    add_table(page, rows,
              {{"consumer", "consumer"},
               {"channel", "channel"},
               {"workers", "workers", kind::number},
               {"rate/s", "rate", kind::number},
               {"backlog", "backlog_text", kind::number},
               {"oldest", "oldest", kind::number},
               {"in flight", "in_flight", kind::number},
               {"pending", "pending", kind::number},
               {"dead", "dead_letters", kind::number},
               {"state", "state"}},
              [&](int row) {
                  const auto state = rows.text(row, "state");
                  return state == "no workers" && rows.text(row, "backlog") != "0" ? shade::problem
                         : state != "working"                                      ? shade::warning
                                                                                   : shade::plain;
              });
}

void add_trouble(std::vector<screen_line>& page, const store::listing& rows) {
    if (rows.empty()) {
        page.push_back({""});
        page.push_back({"no failing handlers", shade::heading});
        return;
    }
    add_table(page, rows,
              {{"failing handler", "handler"},
               {"consumer", "consumer"},
               {"circuit", "circuit_text"},
               {"for", "open_for", kind::number},
               {"in a row", "failures_in_a_row", kind::number},
               {"pending", "pending", kind::number},
               {"dead", "dead_letters", kind::number},
               {"workers", "workers", kind::number},
               {"error class", "error_class"}},
              [&](int row) {
                  return rows.text(row, "circuit_state") != "closed" ? shade::problem
                                                                     : shade::plain;
              });
}

std::string rows_json(const store::listing& rows) {
    json_array all;
    for (int row = 0; row < rows.size(); ++row) {
        all.add_raw(rows.json(row));
    }
    return all.text();
}

}  // namespace

overview look(pg::connection& session) {
    return {store::watch_totals(session), store::watch_consumers(session),
            store::watch_trouble(session, trouble_max), store::watch_workers(session, workers_max),
            store::watch_replays(session, replays_max)};
}

std::vector<screen_line> page_of(const overview& now) {
    std::vector<screen_line> page;
    add_totals(page, now.totals);
    add_consumers(page, now.consumers);
    add_trouble(page, now.trouble);
    const auto plain = [](int /*row*/) { return shade::plain; };
    if (!now.replays.empty()) {
        add_table(page, now.replays,
                  {{"replay", "replay", kind::number},
                   {"phase", "phase"},
                   {"total", "total", kind::number},
                   {"delivered", "delivered", kind::number},
                   {"died again", "failed", kind::number},
                   {"waiting", "waiting", kind::number},
                   {"by", "actor"}},
                  plain);
    }
    if (!now.workers.empty()) {
        add_table(page, now.workers,
                  {{"worker", "short_worker"},
                   {"consumer", "consumer"},
                   {"generation", "generation", kind::number},
                   {"in flight", "in_flight", kind::number},
                   {"up", "up_for", kind::number},
                   {"version", "version"},
                   {"host", "host"}},
                  plain);
    }
    return page;
}

std::string json_of(const overview& now) {
    json_object whole;
    whole.add_raw("totals", now.totals.json(0))
        .add_raw("consumers", rows_json(now.consumers))
        .add_raw("trouble", rows_json(now.trouble))
        .add_raw("replays", rows_json(now.replays))
        .add_raw("workers", rows_json(now.workers));
    return printable_json(whole.text());
}

}  // namespace postrider::cli
