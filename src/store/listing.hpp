#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "pg/connection.hpp"

namespace postrider::store {

/// Rows of a view for people and programs: each column as text, and the whole row as JSON. Text
/// points into the listing.
class listing {
  public:
    /// The last column holds the row as JSON.
    explicit listing(pg::result rows) : rows_(std::move(rows)) {}

    int size() const { return rows_.rows(); }
    bool empty() const { return rows_.empty(); }
    /// Empty for null and for a column without select privilege.
    std::string_view text(int row, std::string_view column) const;
    bool has(int row, std::string_view column) const { return !text(row, column).empty(); }
    std::string_view json(int row) const { return rows_.text(row, rows_.columns() - 1); }

  private:
    pg::result rows_;
};

struct list_query {
    std::string rows;             ///< a query of named columns
    std::string for_people = {};  ///< further columns, of `v`, that are not in the JSON
    pg::params values = {};
};

listing list(pg::connection& session, const list_query& query);

/// The columns of a view of schema postrider that the session's role may read, as a select list,
/// without those in `hidden`, a PostgreSQL array literal.
std::string visible_columns(pg::connection& session, std::string_view view,
                            std::string_view hidden = "{}");

}  // namespace postrider::store
