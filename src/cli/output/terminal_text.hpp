#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::cli {

/// Makes untrusted text safe for a terminal, in one line: control characters, invalid UTF-8 and
/// characters that reorder or hide text become visible escapes. An error text must not move the
/// cursor, change colours or fake another line.
std::string printable(std::string_view text);
/// The same, but line feeds stay and every further line begins with `indent`.
std::string printable_lines(std::string_view text, std::string_view indent);

/// JSON of the database in one line, with everything that printable() would escape as \u escapes.
std::string printable_json(std::string_view json);

/// Printable and truncated to `width` characters.
std::string shortened(std::string_view text, std::size_t width);
/// Number of characters; each counts as one column.
std::size_t width_of(std::string_view text);

/// An instant of the database, whose session is in UTC, to the second: 2026-03-01 12:00:00Z.
std::string time_text(std::string_view instant);
/// 4180 as 4,180.
std::string thousands(std::int64_t number);
/// "1 dead letter", "2 dead letters".
std::string counted(std::int64_t number, std::string_view thing);

bool is_terminal(int descriptor);
/// Columns of a terminal; 0 if it is not a terminal or the width is unknown.
std::size_t terminal_columns(int descriptor);

}  // namespace postrider::cli
