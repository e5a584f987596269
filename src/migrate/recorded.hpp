#pragma once

#include <postrider/error.hpp>
#include <string>
#include <vector>

#include "migrate/schema_files.hpp"
#include "pg/connection.hpp"

namespace postrider::migrate {

struct recorded_migration {
    int version;
    std::string name;
    std::string sha256;
    bool breaking;
    std::string applied_at;
};

/// The migrations recorded in the database; empty when there is no schema.
struct recorded_schema {
    std::vector<recorded_migration> migrations;  ///< by version
    std::string function_set_digest;

    int version() const { return migrations.empty() ? 0 : migrations.back().version; }
};

recorded_schema read_recorded(pg::connection& session);

/// The server computes it, so that the psql script and the migrator agree by construction.
std::string manifest_digest(pg::connection& session, const std::string& manifest);

/// True when the library carries this migration with another content.
bool is_drifted(const recorded_migration& row, const std::vector<migration>& known);

void refuse_newer(const recorded_schema& recorded, int known_version);
void refuse_drift(const recorded_schema& recorded, const std::vector<migration>& known);

/// The check at start-up: throws schema_error when the schema is missing, older, owned by another
/// role, or newer by a breaking migration. A newer schema without one is fine.
void require_schema(pg::connection& session, int known_version);
/// For the version of this program.
void require_schema(pg::connection& session);

}  // namespace postrider::migrate
