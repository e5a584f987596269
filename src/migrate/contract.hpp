#pragma once

#include <string>

#include "migrate/sql_file.hpp"

namespace postrider::migrate {

/// The kind of object that a file creates, as COMMENT ON names it: "function", "view", or "" for
/// anything else.
std::string_view kind_of(const sql_file& file);

/// The contract of a function or view: the comment before its first statement, without dashes and
/// "postrider:" headers. An empty comment line ends it; notes on the implementation follow that.
std::string contract_of(const sql_file& file);

/// The statement that makes the contract the comment of the object in the catalog, so that psql's
/// \df+ shows it; empty for a file that creates something else.
std::string comment_on(const sql_file& file);

/// A string literal of SQL, valid with any standard_conforming_strings.
std::string sql_literal(std::string_view text);

}  // namespace postrider::migrate
