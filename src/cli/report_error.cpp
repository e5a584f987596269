#include "cli/report_error.hpp"

#include <cstdio>
#include <postrider/error.hpp>
#include <string>
#include <string_view>

#include "base/error_text.hpp"
#include "base/json/json.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

std::string text_of(const std::exception& problem, const error* known) {
    if (known == nullptr) {
        return problem.what();
    }
    // Errors of our SQL functions are self-explanatory without the statement.
    auto text = known->sqlstate().starts_with("PR") ? without_statement(*known) : known->what();
    // A hint of our SQL functions names the exact statement to run.
    if (known->sqlstate() == "42501" && text.find("; hint: ") == std::string::npos) {
        text += known->operation() == "migrate"
                    ? "; migrate as a superuser or a member of postrider_owner, the first time at "
                      "least as the owner of the database with CREATEROLE"
                    : "; ask for a role: postrider_viewer to read, postrider_operator to change, "
                      "postrider_producer to publish, postrider_worker to run workers, "
                      "postrider_owner to "
                      "rebase or adopt";
    }
    return text;
}

}  // namespace

int report_error(const std::exception& problem, bool json) {
    constexpr int internal_exit = 70;  // EX_SOFTWARE
    const auto* known = dynamic_cast<const error*>(&problem);
    const auto text = text_of(problem, known);
    const std::string_view name = known != nullptr ? describe(known->code()).name : "internal";
    if (json) {
        json_object report;
        report.add("error", name).add("message", text);
        if (known != nullptr) {
            report.add("sqlstate", known->sqlstate()).add("retryable", known->retryable());
        }
        say("{}\n", printable_json(report.text()));
    } else {
        // Further lines of a text are indented, so that they cannot be mistaken for other messages.
        say("postrider: {}\n", printable_lines(text, "  "));
    }
    return known != nullptr ? describe(known->code()).exit_code : internal_exit;
}

bool output_lost() { return std::fflush(stdout) != 0 || std::ferror(stdout) != 0; }

int report_lost_output() {
    say("postrider: output could not be written\n");
    return output_lost_exit;
}

}  // namespace postrider::cli
