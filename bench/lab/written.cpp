#include "bench/lab/written.hpp"

#include <chrono>
#include <thread>

namespace postrider::bench {
namespace {

std::int64_t number(pg::connection& session, const char* sql) {
    return session.exec(sql).get<std::int64_t>(0, 0);
}

}  // namespace

std::int64_t wal_position(pg::connection& session) {
    return number(session, "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint");
}

std::int64_t rewritten_rows(pg::connection& session) {
    while (number(session,
                  "select count(*) from pg_stat_activity where datname = current_database()"
                  " and backend_type = 'client backend' and pid <> pg_backend_pid()") > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return number(session,
                  "select coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint"
                  " from pg_stat_user_tables");
}

}  // namespace postrider::bench
