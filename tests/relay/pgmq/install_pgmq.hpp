#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "pg/connection.hpp"

namespace postrider::test {

/// Runs pgmq's own SQL, which ./dev test fetches, and creates a queue. False when it was not
/// fetched.
inline bool install_pgmq(pg::connection& session, const std::string& queue) {
    std::ifstream file(POSTRIDER_PGMQ_SQL);
    if (!file) {
        return false;
    }
    std::ostringstream text;
    text << file.rdbuf();
    session.exec(text.str());
    session.exec("select pgmq.create('" + queue + "')");
    return true;
}

inline constexpr const char* pgmq_is_missing = "pgmq was not fetched: " POSTRIDER_PGMQ_SQL;

}  // namespace postrider::test
