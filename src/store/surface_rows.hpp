#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/surface.hpp"

namespace postrider::store {

/// The first column holds the row as JSON, the others its sort keys. A row beyond the limit means
/// that there is another page.
json_page page_of(const pg::result& rows, int limit);

std::optional<std::string> key(const page_request& page, std::size_t number);

/// The columns of view `t`, as a select list: those in `ids` as text. Without `all`, only columns
/// that postrider_viewer may read. `ids` and `hidden` are PostgreSQL array literals.
std::string seen_columns(pg::connection& session, std::string_view view, std::string_view ids,
                         bool all, std::string_view hidden = "{}");

}  // namespace postrider::store
