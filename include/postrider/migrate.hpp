#pragma once

#include <functional>
#include <postrider/export.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace postrider {

struct migrate_options {
    std::string database =
        {};  ///< URL or key=value string; the role must own the schema or may create it
    std::function<void(std::string_view)> log = {};  ///< one line per step taken; may be empty
};

struct migrate_report {
    int version_before = 0;  ///< 0: there was no schema
    int version_after = 0;
    std::vector<std::string> applied;  ///< names of the migrations that this call applied, in order
    bool functions_replaced = false;
    std::string native;  ///< native claims: "on", "off", "wanted, but …" or "on, but …"
};

/// Migrates the schema to the version of this library. Safe to call from many processes at once:
/// one migrates, the others wait and then find nothing to do. Throws schema_error when the schema
/// is newer than the library, or when an applied migration differs from the library's own.
POSTRIDER_EXPORT migrate_report migrate_up(const migrate_options& options);

struct migration_entry {
    int version = 0;
    std::string name;
    bool breaking = false;
    bool applied = false;
    bool drifted = false;    ///< applied, but from a file with another content
    std::string applied_at;  ///< ISO 8601, empty when not applied
};

struct migration_report {
    int version = 0;        ///< in the database; 0: no schema
    int known_version = 0;  ///< in this library
    std::vector<migration_entry> migrations;
    bool functions_current = false;
    /// Nothing to apply and no drift.
    bool current = false;
    /// Native claims: "on", "off", "wanted, but …" or "on, but …"; not part of `current`.
    std::string native;
};

/// Compares the schema with this library. Changes nothing.
POSTRIDER_EXPORT migration_report migration_status(const migrate_options& options);

/// The whole schema as one script for `psql -f`; it makes the same schema as migrate_up().
POSTRIDER_EXPORT std::string migration_script();

}  // namespace postrider
