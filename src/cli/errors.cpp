#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"

namespace postrider::cli {
namespace {

void print_json() {
    json_array all;
    for (const auto& item : error_table()) {
        all.add_raw(json_object()
                        .add("name", item.name)
                        .add("sqlstate", item.sqlstate)
                        .add("http_status", item.http_status)
                        .add("exit_code", item.exit_code)
                        .add("meaning", item.meaning)
                        .text());
    }
    fmt::print("{}\n", all.text());
}

void print_markdown() {
    fmt::print(
        "# Errors\n\n"
        "Every failure has one name. SQL functions raise the SQLSTATE, the C++ library throws\n"
        "`postrider::error` with `code() == postrider::errc::<name>`, the command line exits with "
        "the exit\ncode. This page is the output of `postrider errors --markdown`.\n\n"
        "| name | SQLSTATE | HTTP | exit | meaning and remedy |\n"
        "|---|---|---|---|---|\n");
    for (const auto& item : error_table()) {
        const auto sqlstate =
            item.sqlstate.empty() ? std::string("-") : fmt::format("`{}`", item.sqlstate);
        fmt::print("| `{}` | {} | {} | {} | {} |\n", item.name, sqlstate, item.http_status,
                   item.exit_code, item.meaning);
    }
}

void print_table() {
    fmt::print("{:<24} {:<8} {:>4} {:>4}  {}\n", "name", "sqlstate", "http", "exit", "meaning");
    for (const auto& item : error_table()) {
        fmt::print("{:<24} {:<8} {:>4} {:>4}  {}\n", item.name,
                   item.sqlstate.empty() ? "-" : item.sqlstate, item.http_status, item.exit_code,
                   item.meaning);
    }
}

}  // namespace

void add_errors(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("errors", "List every error with its remedy");
    command->footer(
        "Examples:\n"
        "  postrider errors\n"
        "  postrider errors --json");
    const auto markdown = std::make_shared<bool>(false);
    command->add_flag("--markdown", *markdown, "print the reference page as Markdown");
    command->callback([&shared, markdown] {
        if (*markdown) {
            print_markdown();
        } else if (shared.json) {
            print_json();
        } else {
            print_table();
        }
    });
}

}  // namespace postrider::cli
