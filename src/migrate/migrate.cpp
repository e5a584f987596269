#include <postrider/migrate.hpp>

#include "base/embedded_files.hpp"
#include "migrate/migrator.hpp"

namespace postrider {

migrate_report migrate_up(const migrate_options& options) {
    pg::connection session(options.database);
    return migrate::migrator(embedded_files(), options.log).up(session);
}

migration_report migration_status(const migrate_options& options) {
    pg::connection session(options.database);
    return migrate::migrator(embedded_files()).status(session);
}

std::string migration_script() { return migrate::migrator(embedded_files()).script(); }

}  // namespace postrider
