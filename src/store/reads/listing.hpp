#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pg/connection.hpp"

namespace postrider::store {

/// Rows for people and programs: each as a JSON object, whose members can be read as text.
class listing {
  public:
    /// rows: the object in the first column, called `shown`, and its place in the list in a column
    /// `place`. Rows beyond the limit mean that there is another page, and so does a row without an
    /// object, whose place is the end of the search.
    explicit listing(pg::result rows, std::optional<int> limit = {});

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::string_view json(int row) const { return rows_.text(row, 0); }
    /// All objects as a JSON array.
    std::string array() const;
    /// A member of the object, or a further column of the row. Empty for null and for a member that
    /// is missing. The items of a list are separated by commas.
    std::string text(int row, std::string_view member) const;
    bool has(int row, std::string_view member) const { return !text(row, member).empty(); }
    /// A sort key of the row, in the format of PostgreSQL.
    std::string place(int row, std::string_view key) const;

    /// The place that the next page continues from; empty when this was the last page.
    const std::optional<std::string>& next() const { return next_; }
    /// Set when the search reached its scan limit.
    const std::optional<std::string>& searched_to() const { return searched_to_; }

  private:
    pg::result rows_;
    int size_ = 0;
    std::optional<std::string> next_;
    std::optional<std::string> searched_to_;
};

/// Read permissions of the caller, within those of the session's database role.
struct read_access {
    bool error_texts = true;       ///< otherwise only columns that postrider_viewer may read
    bool before_and_after = true;  ///< columns of the audit, which can hold payloads
    /// Restricts rows to one workspace; counts over all workspaces are left out.
    std::optional<std::string> workspace = {};
    bool ids_as_text = false;             ///< for JavaScript
    std::optional<int> error_chars = {};  ///< of an error text in a list; empty: all of it

    std::optional<int> error_length() const { return error_texts ? error_chars : std::optional(0); }
};

struct page_request {
    std::optional<int> limit = {};          ///< empty: all rows
    std::optional<std::string> after = {};  ///< `next` of the previous page
    bool look_ahead = false;                ///< find out whether there is another page

    std::optional<int> rows() const { return look_ahead && limit ? *limit + 1 : limit; }
};

/// The rows that a function or view of schema postrider returns, e.g. "retention_run($1, $2)".
listing list(pg::connection& session, std::string_view source, const pg::params& values = {});
/// The first rows of a view.
listing list(pg::connection& session, std::string_view view, int limit);

}  // namespace postrider::store
