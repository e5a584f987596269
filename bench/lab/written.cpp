#include "bench/lab/written.hpp"

#include <chrono>
#include <thread>

#include "bench/lab/workload.hpp"

namespace postrider::bench {

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
