#include "store/work/maintain.hpp"

namespace postrider::store {

std::vector<std::string> maintain(pg::connection& session) {
    const auto rows = session.exec("select postrider.maintain()");
    std::vector<std::string> done;
    done.reserve(static_cast<std::size_t>(rows.rows()));
    for (int row = 0; row < rows.rows(); ++row) {
        done.emplace_back(rows.text(row, 0));
    }
    return done;
}

bool retention_run(pg::connection& session, int limit) {
    return session
        .exec_params(
            "select count(*) > 0 from postrider.retention_run($1)"
            " where things >= $1 / 4 or action = 'dropped'",
            pg::params(limit))
        .get<bool>(0, 0);
}

}  // namespace postrider::store
