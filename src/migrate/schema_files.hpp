#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "migrate/sql_file.hpp"

namespace postrider::migrate {

struct migration {
    int version;
    sql_file file;
};

/// The files of sql/ by their use in the migrator. Other files (for example uninstall.sql) are
/// ignored.
struct schema_files {
    explicit schema_files(std::span<const embedded_file> files);

    int version() const { return migrations.empty() ? 0 : migrations.back().version; }

    std::vector<migration> migrations;  ///< 1, 2, 3 ... without a gap
    std::optional<sql_file> roles;    ///< roles.sql: belongs to the set, runs before the migrations
    std::vector<sql_file> functions;  ///< functions and views in dependency order, then grants.sql
    /// A statement that provides grants.sql, in the same transaction, with the roles of each
    /// function.
    std::string function_grants;
    std::optional<sql_file> native;  ///< native/: belongs to no set; see native.hpp
    /// One line "path sha256" per file of the set; the database records its SHA-256.
    std::string function_set_manifest;
};

}  // namespace postrider::migrate
