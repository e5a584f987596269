#include "cli/reference/contract_markdown.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace postrider::cli {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool is_indented(const std::string& line) { return line.starts_with("  "); }

bool is_label(const std::string& line) {
    static const std::regex label("(Returns|Raises|Touches)[a-z, ]*: .*");
    return std::regex_match(line, label);
}

// An indented line continues a sentence, unless it is aligned or a colon announced it.
bool begins_list(const std::string& line, const std::string& previous) {
    const auto word = line.find_first_not_of(' ');
    return is_indented(line) &&
           (previous.ends_with(':') || line.find("  ", word) != std::string::npos);
}

// Without the leading "name(arguments): ", which the section's title and declaration repeat.
std::string without_title(std::string line) {
    const auto title = line.find(": ");
    line.erase(0, title == std::string::npos ? 0 : title + 2);
    line[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(line[0])));
    return line;
}

std::string linked(const std::string& text,
                   const std::function<bool(const std::string&)>& is_linked) {
    static const std::regex call(R"(\b([a-z_0-9]+)\(\))");
    std::string shown;
    auto rest = text.cbegin();
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
        shown.append(rest, (*at)[0].first);
        const auto name = at->str(1);
        shown += is_linked(name) ? "[" + name + "()](#" + name + ")" : name + "()";
        rest = (*at)[0].second;
    }
    return shown.append(rest, text.cend());
}

// Markdown must not take signs of a contract for its own, except in `code`.
std::string escaped(const std::string& text) {
    std::string shown;
    bool code = false;
    for (const char c : text) {
        code = code != (c == '`');
        if (!code && (c == '*' || c == '<')) {
            shown += '\\';
        }
        shown += c;
    }
    return shown;
}

}  // namespace

std::string contract_markdown(std::string_view contract,
                              const std::function<bool(const std::string&)>& is_linked) {
    auto lines = lines_of(contract);
    if (lines.empty()) {
        return {};
    }
    lines.front() = without_title(lines.front());
    std::string page;
    std::string previous;
    bool in_list = false;
    bool in_items = false;
    for (const auto& line : lines) {
        if (in_list && !is_indented(line)) {
            page += "```\n\n";
            in_list = false;
        } else if (!in_list && !in_items && begins_list(line, previous)) {
            page += "\n```text\n";
            in_list = true;
        }
        if (in_list) {
            page += line.substr(2) + "\n";
        } else if (is_label(line)) {
            const auto colon = line.find(':');
            page += (in_items ? "" : "\n") + ("- **" + line.substr(0, colon + 1)) + "**" +
                    linked(escaped(line.substr(colon + 1)), is_linked) + "\n";
            in_items = true;
        } else {
            // A plain line behind a label is a paragraph of its own.
            in_items = in_items && is_indented(line);
            const bool apart = is_label(previous) && !in_items;
            page += (apart ? "\n" : "") + linked(escaped(line), is_linked) + "\n";
        }
        previous = line;
    }
    return page + (in_list ? "```\n" : "");
}

std::vector<std::string> definitions_used(const std::string& contract) {
    static const std::regex use(
        R"((?:\b(?:see|as|what|(?:errors|tables) (?:of|that)) ([a-z_0-9]+)\(\)))"
        R"(|(?:\b([a-z_0-9]+)\(\)'s))");
    std::vector<std::string> names;
    for (std::sregex_iterator at(contract.begin(), contract.end(), use), end; at != end; ++at) {
        names.push_back((*at)[1].matched ? at->str(1) : at->str(2));
    }
    return names;
}

}  // namespace postrider::cli
