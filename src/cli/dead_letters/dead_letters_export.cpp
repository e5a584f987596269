#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/dead_letters.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/dead_letters.hpp"
#include "store/operate/dead_lines.hpp"

namespace postrider::cli {
namespace {

void export_all(const context& shared, const filter_options& which,
                const std::string& format_name) {
    constexpr int rows_per_page = 500;
    const auto format = store::line_format_of(format_name);
    operator_session session(shared);
    const auto filter = which.filter(session);
    store::page_request page{.limit = rows_per_page, .look_ahead = true};
    fmt::print("{}", store::first_line(format));
    do {
        const auto rows = store::dead_page(session, filter, page);
        const auto text = store::lines(rows, format);
        // A file gets the bytes as they are; a terminal would obey them.
        fmt::print("{}", is_terminal(STDOUT_FILENO) ? printable_lines(text, "") : text);
        page.after = rows.next();
    } while (page.after);
}

}  // namespace

void add_dead_letters_export(CLI::App& group, context& shared) {
    auto* command =
        group.add_subcommand("export", "Write all dead letters that match, one per line");
    const auto which = add_filter_options(*command, all_of_them::by_default);
    const auto format = std::make_shared<std::string>("jsonl");
    command->add_option("--format", *format, "format of the lines")
        ->check(CLI::IsMember({"jsonl", "csv"}))
        ->capture_default_str();
    command->footer(
        "Newest first, without payloads. Memory use does not depend on the number of dead "
        "letters.\n\n"
        "Examples:\n"
        "  postrider dead-letters export --handler billing.send_invoice > invoices.jsonl\n"
        "  postrider dead-letters export --since 1d --format csv > today.csv");
    command->callback([&shared, which, format] { export_all(shared, *which, *format); });
}

}  // namespace postrider::cli
