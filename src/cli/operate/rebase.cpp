#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/output/terminal_text.hpp"
#include "pg/connection.hpp"

namespace postrider::cli {
namespace {

void print_json(const pg::result& rows) {
    json_array all;
    for (int row = 0; row < rows.rows(); ++row) {
        json_object item;
        for (int column = 0; column < rows.columns(); ++column) {
            item.add(rows.column_name(column), rows.text(row, column));
        }
        all.add_raw(item.text());
    }
    fmt::print("{}\n", all.text());
}

void print_table(const pg::result& rows) {
    if (rows.empty()) {
        fmt::print("no consumer needed a change\n");
    }
    for (int row = 0; row < rows.rows(); ++row) {
        for (int column = 0; column < rows.columns(); ++column) {
            fmt::print("{}{}={}", column == 0 ? "" : " ", rows.column_name(column),
                       printable(rows.text(row, column)));
        }
        fmt::print("\n");
    }
}

void run(const context& shared) {
    const open_database database(shared);
    auto session = database.session();
    const auto rows = session.exec("select * from postrider.rebase()");
    if (shared.json) {
        print_json(rows);
    } else {
        print_table(rows);
    }
}

}  // namespace

void add_rebase(CLI::App& app, context& shared) {
    auto* command =
        app.add_subcommand("rebase", "Repair the log after the database moved to another cluster");
    command->footer(
        "Required after a dump was restored into another cluster, after pg_upgrade, after a move "
        "by\n"
        "logical replication (drop the subscription first) and after the transaction counter was\n"
        "set back. Until then claims are refused, because stored positions are those of the old "
        "cluster.\n"
        "Turns the undelivered messages into deliveries and continues the sequences. Does nothing\n"
        "when it is not required. Run it as a superuser or a member of postrider_owner.\n\n"
        "Example:\n"
        "  postrider rebase --database postgresql://app@localhost/restored");
    command->callback([&shared] { run(shared); });
}

}  // namespace postrider::cli
