#pragma once

#include <string>
#include <string_view>

#include "store/reads/listing.hpp"

// Dead letters as lines of a file, for exports of the HTTP API and the command line.
namespace postrider::store {

enum class line_format { json, csv };

/// "jsonl" or "csv"; throws usage_error for anything else.
line_format line_format_of(std::string_view name);
/// The first line of a file: the names of the columns, or nothing for JSON.
std::string first_line(line_format format);
/// One line per row of dead_page(). A text that a spreadsheet would take for a formula begins with
/// an apostrophe in CSV.
std::string lines(const listing& rows, line_format format);

}  // namespace postrider::store
