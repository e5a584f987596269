#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::chaos {

/// Microseconds since 1970, by the clock that all processes of a run share.
using instant = std::int64_t;

/// One line of a history: time, kind and fields. Names of kinds and fields are words; values may
/// have any bytes.
///
///   1700000000000000 run run=7 id=0190… handler=office.plain
struct record {
    instant at = 0;
    std::string kind = {};
    std::vector<std::pair<std::string, std::string>> fields = {};

    record& add(std::string_view name, std::string_view value);
    record& add(std::string_view name, std::int64_t value);

    bool has(std::string_view name) const;
    /// Empty when there is none.
    std::string_view text(std::string_view name) const;
    /// 0 when there is none. Throws when it is not a number.
    std::int64_t number(std::string_view name) const;
    /// The parts of a list separated by commas.
    std::vector<std::string> list(std::string_view name) const;
};

std::string to_line(const record& entry);
/// Throws std::runtime_error when the line is not a record.
record parse_line(std::string_view line);

}  // namespace postrider::chaos
