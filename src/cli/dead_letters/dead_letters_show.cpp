#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <postrider/error.hpp>

#include "cli/dead_letters/dead_filter.hpp"
#include "cli/dead_letters/dead_letters.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/attempts_table.hpp"
#include "cli/output/state_words.hpp"
#include "cli/output/table.hpp"
#include "cli/output/terminal_text.hpp"
#include "store/operate/dead_letters.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

[[noreturn]] void throw_not_dead(pg::connection& session, const std::string& id) {
    const auto states = store::deliveries_of(session, id);
    if (states.empty()) {
        throw error(errc::message_not_found, "no such delivery or message: " + id);
    }
    std::string told;
    for (int row = 0; row < states.size(); ++row) {
        told += fmt::format("{}{} for {} of {}", told.empty() ? "" : ", ",
                            states.has(row, "deleted_at")
                                ? state_text("job", "discarded")
                                : state_text("status", states.text(row, "status")),
                            states.text(row, "handler"), states.text(row, "consumer"));
    }
    throw error(errc::invalid_transition, id + " is not a dead letter: it is " + printable(told));
}

void line(std::string_view title, std::string_view text) {
    if (!text.empty()) {
        fmt::print("  {:<13} {}\n", title, text);
    }
}

void print_failure(const store::listing& rows, int row) {
    const auto text = [&](std::string_view column) { return printable(rows.text(row, column)); };
    line("died", fmt::format("{}: {} after {} in cycle {}", time_text(rows.text(row, "dead_at")),
                             state_text("outcome", text("outcome")),
                             counted(std::stoll(text("attempts")), "attempt"), text("cycle")));
    line("first failed", time_text(rows.text(row, "first_failed_at")));
    line("crashes", rows.text(row, "crashes") == "0" ? "" : text("crashes"));
    line("class", text("error_class"));
    line("error", printable_lines(rows.text(row, "last_error"), "                "));
    const auto others = text("similar");
    line("similar",
         others.empty() || others == "0"
             ? "no other dead letter has this fingerprint"
             : fmt::format(
                   "{} more with this fingerprint: postrider dead-letters list --fingerprint {}",
                   others, text("fingerprint")));
}

void print_envelope(const store::listing& rows, int row) {
    const auto text = [&](std::string_view column) { return printable(rows.text(row, column)); };
    line("message", text("id"));
    line("type", text("event_type") + ", version " + text("event_version"));
    line("consumer", text("consumer") + " on " + text("channel"));
    line("source", text("source"));
    line("target", text("target"));
    line("published", time_text(rows.text(row, "published_at")));
    line("occurred", time_text(rows.text(row, "occurred_at")));
    line("workspace", text("workspace_id"));
    line("class of data", text("content_class"));
    line("generation", text("generation"));
    line("idempotency", text("idempotency_key"));
    line("ordering", text("ordering_key"));
    line("partition", text("partition_key"));
    line("trace", text("trace_context"));
    line("headers", printable_lines(rows.text(row, "header_lines"), "                "));
    line("metadata", printable_lines(rows.text(row, "metadata_lines"), "                "));
    line("payload", printable_lines(rows.text(row, "payload_lines"), "                "));
}

void print_cycles(pg::connection& session, std::string_view delivery) {
    const auto cycles = store::cycles_of(session, delivery);
    if (cycles.empty()) {
        return;
    }
    fmt::print("  earlier cycles\n{}", table_text(cycles,
                                                  {{"cycle", "cycle", kind::number},
                                                   {"ended", "ended_at", kind::time},
                                                   state_column("status", "status", "status"),
                                                   {"attempts", "attempts", kind::number},
                                                   {"replayed", "replayed_at", kind::time},
                                                   {"by", "replayed_by"},
                                                   {"class", "error_class"},
                                                   {"error", "last_error", kind::last}},
                                                  "    "));
}

void show_one(const context& shared, const std::string& id) {
    require_id(id);
    operator_session session(shared);
    const auto rows = store::dead_letters(session, id);
    if (rows.empty()) {
        throw_not_dead(session, id);
    }
    for (int row = 0; row < rows.size(); ++row) {
        if (shared.json) {
            fmt::print("{}\n", printable_json(rows.json(row)));
            continue;
        }
        fmt::print("{}delivery {} of {}\n", row == 0 ? "" : "\n", rows.text(row, "delivery_id"),
                   printable(rows.text(row, "handler")));
        print_failure(rows, row);
        print_envelope(rows, row);
        print_attempts(store::attempts(session, rows.text(row, "delivery_id")), "  ");
        print_cycles(session, rows.text(row, "delivery_id"));
    }
}

}  // namespace

void add_dead_letters_show(CLI::App& group, context& shared) {
    auto* command = group.add_subcommand("show", "Show one dead letter with its payload");
    const auto id = std::make_shared<std::string>();
    command->add_option("id", *id, "a delivery (a number) or a message (a UUID)")->required();
    command->footer(
        "Exit codes: 66 unknown id, 1 not a dead letter.\n\n"
        "Examples:\n"
        "  postrider dead-letters show 42\n"
        "  postrider dead-letters show 42 --json | jq .payload");
    command->callback([&shared, id] { show_one(shared, *id); });
}

}  // namespace postrider::cli
