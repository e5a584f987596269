#include "cli/work/check_database.hpp"

#include <postrider/error.hpp>

#include "store/work/workers.hpp"

namespace postrider::cli {

void check_database(const open_database& database, const std::string& deployment, bool once) {
    try {
        auto session = database.session();
        store::require_deployment(session, deployment);
    } catch (const error& problem) {
        if (once || !problem.connection_lost()) {
            throw;
        }
    }
}

}  // namespace postrider::cli
