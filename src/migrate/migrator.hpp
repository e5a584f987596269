#pragma once

#include <functional>
#include <postrider/migrate.hpp>
#include <span>
#include <string>
#include <string_view>

#include "migrate/schema_files.hpp"
#include "pg/connection.hpp"

namespace postrider::migrate {

/// Applies a set of SQL files to one database. The files keep two tables of their own up to date,
/// created by migration 1: postrider.migration and postrider.function_set.
class migrator {
  public:
    using log_sink = std::function<void(std::string_view)>;

    explicit migrator(std::span<const embedded_file> files, log_sink log = {});

    migrate_report up(pg::connection& session);
    migration_report status(pg::connection& session) const;
    /// The same work as one psql script.
    std::string script() const;

  private:
    void say(const std::string& line) const;
    void apply_roles(pg::connection& session) const;
    void apply(pg::connection& session, const migration& step) const;
    void replace_functions(pg::connection& session, const std::string& digest) const;
    std::string apply_native(pg::connection& session) const;

    schema_files files_;
    log_sink log_;
};

}  // namespace postrider::migrate
