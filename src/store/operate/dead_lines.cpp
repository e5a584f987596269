#include "store/operate/dead_lines.hpp"

#include <array>
#include <postrider/error.hpp>

namespace postrider::store {
namespace {

constexpr std::array<std::string_view, 18> csv_columns{
    "delivery_id", "id",           "consumer",        "channel",      "handler",   "event_type",
    "source",      "workspace_id", "generation",      "dead_at",      "attempts",  "cycle",
    "error_class", "fingerprint",  "first_failed_at", "published_at", "replay_id", "last_error"};

// A program for tables takes such a beginning of a field for a formula. One that separates fields
// by semicolons does not see the quotes around a field of ours, and begins fields within it.
std::string without_formulas(std::string_view text) {
    constexpr auto has = [](std::string_view all, char one) {
        return all.find(one) != std::string_view::npos;
    };
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at == 0 ? has("=+-@\t\r", text[0])
                    : has("=+-@", text[at]) && has(";\n\r\t", text[at - 1])) {
            plain += '\'';
        }
        plain += text[at];
    }
    return plain;
}

// RFC 4180: quotes around a field that needs them, and doubled inside.
std::string csv_field(std::string_view value) {
    auto text = without_formulas(value);
    if (text.find_first_of(",;\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += c;
        }
    }
    return quoted + "\"";
}

}  // namespace

line_format line_format_of(std::string_view name) {
    if (name == "jsonl") {
        return line_format::json;
    }
    if (name == "csv") {
        return line_format::csv;
    }
    throw usage_error("format must be jsonl or csv, got " + std::string(name));
}

std::string first_line(line_format format) {
    if (format == line_format::json) {
        return {};
    }
    std::string line;
    for (const auto column : csv_columns) {
        line.append(line.empty() ? "" : ",").append(column);
    }
    return line + "\r\n";
}

std::string lines(const listing& rows, line_format format) {
    std::string text;
    for (int row = 0; row < rows.size(); ++row) {
        if (format == line_format::json) {
            text.append(rows.json(row)).append("\n");
            continue;
        }
        for (std::size_t at = 0; at < csv_columns.size(); ++at) {
            text.append(at == 0 ? "" : ",").append(csv_field(rows.text(row, csv_columns[at])));
        }
        text += "\r\n";
    }
    return text;
}

}  // namespace postrider::store
