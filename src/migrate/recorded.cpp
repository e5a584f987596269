#include "migrate/recorded.hpp"

#include <algorithm>

#include "base/embedded_files.hpp"
#include "migrate/surroundings.hpp"

namespace postrider::migrate {
namespace {

[[noreturn]] void throw_newer(int version, int known_version) {
    throw schema_error(errc::schema_newer, "the schema is at version " + std::to_string(version) +
                                               ", this program supports up to " +
                                               std::to_string(known_version) +
                                               ": use a newer postrider");
}

// Checked before anything in it is read: a view or function of another role would run with our
// rights.
void refuse_foreign(pg::connection& session) {
    const auto owner = session.exec(std::string(foreign_owner));
    if (!owner.empty()) {
        throw schema_error(errc::schema_drift,
                           "the schema postrider belongs to " + std::string(owner.text(0, 0)) +
                               ", who is not postrider_owner: ask its owner to rename or drop it, "
                               "then run `postrider migrate up`");
    }
}

// Before 0.1.0 there were other migrations under the same numbers, this one among them.
constexpr std::string_view unreleased_migration = "0003_inbox";

[[noreturn]] void throw_unreleased() {
    throw schema_error(
        errc::schema_drift,
        "the schema was made by a development version before 0.1.0, which cannot be upgraded: let "
        "that version handle all messages, then run `drop schema postrider cascade`, which "
        "deletes every message, and `postrider migrate up`");
}

}  // namespace

recorded_schema read_recorded(pg::connection& session) {
    refuse_foreign(session);
    recorded_schema recorded;
    const auto present = session.exec("select to_regclass('postrider.migration') is not null");
    if (!present.get<bool>(0, 0)) {
        return recorded;
    }
    const auto rows = session.exec(
        "select version, name, sha256, breaking, "
        "to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') "
        "from postrider.migration order by version");
    for (int row = 0; row < rows.rows(); ++row) {
        recorded.migrations.push_back({rows.get<int>(row, 0), rows.get<std::string>(row, 1),
                                       rows.get<std::string>(row, 2), rows.get<bool>(row, 3),
                                       rows.get<std::string>(row, 4)});
        if (recorded.migrations.back().name == unreleased_migration) {
            throw_unreleased();
        }
    }
    const auto digest = session.exec("select digest from postrider.function_set limit 1");
    if (!digest.empty()) {
        recorded.function_set_digest = digest.text(0, 0);
    }
    return recorded;
}

std::string manifest_digest(pg::connection& session, const std::string& manifest) {
    return session
        .exec_params("select encode(sha256(convert_to($1::text, 'UTF8')), 'hex')",
                     pg::params(manifest))
        .get<std::string>(0, 0);
}

bool is_drifted(const recorded_migration& row, const std::vector<migration>& known) {
    const auto found = std::ranges::find(known, row.version, &migration::version);
    return found != known.end() && found->file.sha256 != row.sha256;
}

void refuse_newer(const recorded_schema& recorded, int known_version) {
    if (recorded.version() > known_version) {
        throw_newer(recorded.version(), known_version);
    }
}

void refuse_drift(const recorded_schema& recorded, const std::vector<migration>& known) {
    for (const auto& row : recorded.migrations) {
        if (is_drifted(row, known)) {
            throw schema_error(errc::schema_drift,
                               "migration " + row.name +
                                   " was applied with another content than in this program: "
                                   "use the release that applied it, or restore the file");
        }
    }
}

void require_schema(pg::connection& session, int known_version) {
    refuse_foreign(session);
    int version = 0;
    bool breaking = false;
    bool unreleased = false;
    try {
        const auto row = session.exec_params(
            "select coalesce(max(version), 0), coalesce(bool_or(breaking) filter (where version > "
            "$1), false), coalesce(bool_or(name = $2), false) from postrider.migration",
            pg::params(known_version, unreleased_migration));
        version = row.get<int>(0, 0);
        breaking = row.get<bool>(0, 1);
        unreleased = row.get<bool>(0, 2);
    } catch (const schema_error&) {
        version = 0;  // there is none
    } catch (const error& problem) {
        // A role that may not read this is rejected by its next statement.
        if (problem.code() == errc::permission_denied) {
            return;
        }
        throw;
    }
    if (unreleased) {
        throw_unreleased();
    }
    if (version < known_version) {
        throw schema_error(errc::schema_outdated,
                           version == 0
                               ? "the database has no postrider schema: run `postrider migrate up`"
                               : "the schema is at version " + std::to_string(version) +
                                     ", this program needs " + std::to_string(known_version) +
                                     ": run `postrider migrate up`");
    }
    if (breaking) {
        throw_newer(version, known_version);
    }
}

void require_schema(pg::connection& session) {
    // Their numbers have no gap.
    static const auto known_version = std::ranges::count_if(
        embedded_files(), [](const auto& file) { return file.path.starts_with("migrations/"); });
    require_schema(session, static_cast<int>(known_version));
}

}  // namespace postrider::migrate
