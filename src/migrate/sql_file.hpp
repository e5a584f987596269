#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_files.hpp"

namespace postrider::migrate {

/// One .sql file with its header lines. Headers are comment lines before the first
/// statement:
///   -- postrider: no-transaction        (migrations) runs outside a transaction, statement by
///   statement
///   -- postrider: breaking              (migrations) older programs must not use the new schema
///   -- postrider: after name[, name]    (function set) created after these files
///   -- postrider: grant role[, role]    (function set) the roles that may call the function,
///   without "postrider_"; a function without it is internal
///   -- postrider: drop <object>         (function set) runs "drop <object>" before the set is
///   created
struct sql_file {
    std::string_view path;
    std::string_view name;  ///< file name without folder and ".sql"
    std::string_view sha256;
    std::string_view text;
    bool no_transaction = false;
    bool breaking = false;
    std::vector<std::string> after;
    std::vector<std::string> grants;
    std::vector<std::string> drops;
};

sql_file parse_sql_file(const embedded_file& file);

/// Sorts files so that each comes after the files it names, otherwise by path. Throws
/// config_invalid for an unknown name, a duplicate name or a cycle.
std::vector<sql_file> in_dependency_order(std::vector<sql_file> files);

/// Statements of a script, cut at top-level semicolons (quotes, comments and dollar quotes are
/// respected). Statements of comments alone are left out.
std::vector<std::string_view> split_statements(std::string_view script);

}  // namespace postrider::migrate
