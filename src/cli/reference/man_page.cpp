#include "cli/reference/man_page.hpp"

#include <algorithm>
#include <postrider/version.hpp>

namespace postrider::cli {
namespace {

// Text that troff prints unchanged: hyphens that can be copied, no escapes, no requests.
std::string troff(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (shown.empty() || shown.back() == '\n')) {
            shown += "\\&";
        }
        shown += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
    }
    return shown;
}

std::string section(std::string_view title, const std::string& text) {
    return text.empty() ? "" : ".SH " + std::string(title) + "\n" + text;
}

std::string heading(std::string_view title) { return ".SH " + std::string(title) + "\n"; }

std::string label(const option_entry& option) {
    std::string text = option.argument;
    for (const auto& name : option.names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text + (option.type.empty() || option.names.empty() ? "" : " " + option.type);
}

std::string options_text(const std::vector<option_entry>& options) {
    std::string text;
    for (const auto& option : options) {
        if (std::ranges::find(option.names, "--help") != option.names.end()) {
            continue;  // it prints the same text as the page
        }
        text += ".TP\n.B " + troff(label(option)) + "\n" + troff(option.meaning);
        if (!option.values.empty()) {
            text += "; one of";
            for (const auto& value : option.values) {
                text += (value == option.values.front() ? " " : ", ") + troff(value);
            }
        }
        text += option.initial.empty() ? "\n" : "; default: " + troff(option.initial) + "\n";
    }
    return text;
}

// Help texts have examples last, as indented lines.
std::string footer_text(const std::string& footer) {
    const auto at = std::min(footer.find("Example"), footer.size());
    std::string text;
    if (at > 0) {
        text += heading("NOTES") +
                troff(footer.substr(0, footer.find_last_not_of('\n', at - 1) + 1)) + "\n";
    }
    if (at < footer.size()) {
        text += heading("EXAMPLES") + ".nf\n" +
                troff(footer.substr(std::min(footer.find('\n', at) + 1, footer.size()))) +
                "\n.fi\n";
    }
    return text;
}

std::string commands_text(const command_entry& command, bool is_root) {
    std::string text = command.commands.empty() ? "" : heading("COMMANDS");
    for (const auto& below : command.commands) {
        const auto name = is_root ? man_name(below) + "(1)" : below.path;
        text += ".TP\n.B " + troff(name) + "\n" + troff(below.meaning) + "\n";
        if (!is_root) {
            text += ".RS\n" + options_text(below.options) + ".RE\n";
        }
    }
    return text;
}

std::string synopsis(const command_entry& command) {
    std::string text = ".B " + troff(command.path) + "\n[\\fIoptions\\fR]";
    for (const auto& option : command.options) {
        text += option.names.empty() ? " \\fI" + troff(option.argument) + "\\fR" : "";
    }
    return text + (command.commands.empty() ? "\n" : " \\fIcommand\\fR\n");
}

}  // namespace

std::string man_name(const command_entry& command) {
    auto name = command.path;
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string man_page(const command_entry& root, const command_entry& command) {
    const bool is_root = command.path == root.path;
    auto title = man_name(command);
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
    std::string page = ".TH " + troff(title) + " 1 \"\" \"postrider " + std::string(version()) +
                       "\" \"Postrider\"\n" + heading("NAME") + troff(man_name(command)) + " \\- " +
                       troff(command.meaning) + "\n" + heading("SYNOPSIS") + synopsis(command) +
                       commands_text(command, is_root) +
                       section("OPTIONS", options_text(command.options));
    if (!is_root && !command.passes_on) {
        page += section("GLOBAL OPTIONS", options_text(root.options));
    }
    page += footer_text(command.footer) + heading("EXIT STATUS") +
            "0 on success, 64 for a wrong command line or input, otherwise the exit code that\n"
            ".B postrider errors\nlists.\n" +
            heading("ENVIRONMENT") +
            ".TP\n.B POSTRIDER_DATABASE_URL\nURL of the database, if \\-\\-database is not given\n"
            ".TP\n.B NO_COLOR\nno colors if it is set and not empty\n" +
            heading("SEE ALSO");
    return page + (is_root ? ".BR psql (1)\n" : ".BR postrider (1)\n");
}

}  // namespace postrider::cli
