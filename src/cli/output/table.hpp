#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"
#include "store/reads/listing.hpp"

namespace postrider::cli {

/// One column of a table: its source and its format.
struct table_column {
    enum class kind { text, number, time, flag, last };

    std::string_view title;
    std::string_view source = {};  ///< a member of the rows
    kind how = kind::text;         ///< last: fills the rest of the line
    /// Makes the text instead, of one or more members.
    std::string (*make)(const store::listing& rows, int row) = nullptr;
    /// Left out when the table is too wide; the highest one first. 0: always there.
    int spare = 0;
    std::string_view states = {};  ///< the values are states of this kind, of states.def
};

/// A column of states of this kind.
table_column state_column(std::string_view title, std::string_view source, std::string_view of);

struct table_options {
    std::string_view nothing;            ///< text for an empty listing
    std::string_view quiet_column = {};  ///< the only column with --quiet
    bool quiet = false;
};

/// A listing as JSON lines, as one column for scripts, or as a table for people.
void print_listing(const context& shared, const store::listing& rows,
                   const std::vector<table_column>& columns, const table_options& options);

/// The table alone, every line indented by `indent`. With a `width`, spare columns are left out
/// until the lines fit.
std::string table_text(const store::listing& rows, std::vector<table_column> columns,
                       std::string_view indent = {}, std::size_t width = 0);

}  // namespace postrider::cli
