#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.hpp"
#include "store/listing.hpp"

namespace postrider::cli {

/// One column of a table: where its text comes from, and how it is shown.
struct table_column {
    enum class kind { text, number, time, flag, last };

    std::string_view title;
    std::string_view source;  ///< a column of the listing
    kind how = kind::text;    ///< last: takes what is left of the line
};

struct table_options {
    std::string_view nothing;            ///< what is said when there are no rows
    std::string_view quiet_column = {};  ///< all that is printed with --quiet
    bool quiet = false;
};

/// A listing as JSON lines, as one column for scripts, or as a table for people.
void print_listing(const context& shared, const store::listing& rows,
                   const std::vector<table_column>& columns, const table_options& options);

/// The table alone, every line behind `indent`.
std::string table_text(const store::listing& rows, const std::vector<table_column>& columns,
                       std::string_view indent = {});

}  // namespace postrider::cli
