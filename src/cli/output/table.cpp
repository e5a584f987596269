#include "cli/output/table.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "cli/output/state_words.hpp"
#include "cli/output/terminal_text.hpp"

namespace postrider::cli {
namespace {

using kind = table_column::kind;

constexpr std::size_t cell_max = 60;   // except for the last column
constexpr std::size_t last_max = 100;  // without a terminal

std::string cell(const store::listing& rows, int row, const table_column& column) {
    auto text = column.make != nullptr ? column.make(rows, row) : rows.text(row, column.source);
    if (!column.states.empty()) {
        text = state_text(column.states, text);
    }
    switch (column.how) {
        case kind::time:
            return text.empty() ? "-" : time_text(text);
        case kind::flag:
            return text == "true" ? "yes" : "no";
        case kind::last:
            return shortened(text, last_max * 4);
        case kind::number:
        case kind::text:
            break;
    }
    return text.empty() ? "-" : shortened(text, cell_max);
}

void pad(std::string& line, const std::string& text, std::size_t width, bool right) {
    const auto gap = width - std::min(width, width_of(text));
    line += right ? std::string(gap, ' ') + text : text + std::string(gap, ' ');
}

struct grid {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::size_t> widths;
};

grid lay_out(const store::listing& rows, const std::vector<table_column>& columns) {
    grid made;
    auto& head = made.lines.emplace_back();
    for (const auto& column : columns) {
        head.emplace_back(column.title);
    }
    for (int row = 0; row < rows.size(); ++row) {
        auto& line = made.lines.emplace_back();
        for (const auto& column : columns) {
            line.push_back(cell(rows, row, column));
        }
    }
    made.widths.assign(columns.size(), 0);
    for (const auto& line : made.lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            made.widths[i] = std::max(made.widths[i], width_of(line[i]));
        }
    }
    return made;
}

std::size_t width_of(const grid& made) {
    constexpr std::size_t gap = 2;
    return std::accumulate(made.widths.begin(), made.widths.end(), std::size_t{0}) +
           gap * (made.widths.size() - 1);
}

// Leaves out the column that is the easiest to spare; false if there is none.
bool spare_one(std::vector<table_column>& columns) {
    const auto found = std::ranges::max_element(columns, {}, &table_column::spare);
    if (found == columns.end() || found->spare == 0) {
        return false;
    }
    columns.erase(found);
    return true;
}

}  // namespace

table_column state_column(std::string_view title, std::string_view source, std::string_view of) {
    return {.title = title, .source = source, .states = of};
}

std::string table_text(const store::listing& rows, std::vector<table_column> columns,
                       std::string_view indent, std::size_t width) {
    auto made = lay_out(rows, columns);
    while (width > 0 && width_of(made) + indent.size() > width && spare_one(columns)) {
        made = lay_out(rows, columns);
    }
    const auto terminal = terminal_columns(STDOUT_FILENO);
    std::string text;
    for (const auto& cells : made.lines) {
        std::string line(indent);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (columns[i].how == kind::last) {
                const auto used = width_of(line);
                const auto left = terminal > used + 20 ? terminal - used : last_max;
                line += shortened(cells[i], left);
            } else {
                pad(line, cells[i], made.widths[i], columns[i].how == kind::number);
                line += "  ";
            }
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

void print_listing(const context& shared, const store::listing& rows,
                   const std::vector<table_column>& columns, const table_options& options) {
    if (shared.json) {
        for (int row = 0; row < rows.size(); ++row) {
            fmt::print("{}\n", printable_json(rows.json(row)));
        }
    } else if (options.quiet) {
        for (int row = 0; row < rows.size(); ++row) {
            fmt::print("{}\n", printable(rows.text(row, options.quiet_column)));
        }
    } else if (rows.empty()) {
        fmt::print("{}\n", options.nothing);
    } else {
        fmt::print("{}", table_text(rows, columns));
    }
    // Before any output to stderr.
    std::fflush(stdout);
}

}  // namespace postrider::cli
