// unique: publishing a unique job compared with publishing a message, one per transaction, in turn
// on one connection.
#include "bench/jobs/jobs.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

double per_second(pg::connection& session, const char* statement, int first, int count) {
    const stopwatch watch;
    for (int i = first; i < first + count; ++i) {
        session.exec_prepared(statement, pg::params(payload(i), std::to_string(i)));
    }
    return count / watch.elapsed();
}

}  // namespace

void unique(const lab& where, report& results) {
    const int count = where.tiny() ? 10 : 200;
    const int turns = where.tiny() ? 2 : where.size(40, 15);
    const fresh_database database(where);
    auto session = database.connect();
    session.exec(
        "select postrider.register_worker(gen_random_uuid(), 'bench',"
        " '[{\"name\": \"bench.all\", \"event_types\": [\"*\"]}]')");
    session.prepare("plain",
                    "select postrider.publish('order.placed', $1, 'bench', 'bench',"
                    " p_idempotency_key => $2)");
    session.prepare("unique",
                    "select duplicate from postrider.publish_unique('order.placed', 'bench', $2,"
                    " 'until_finished', $1, p_source => 'bench')");
    std::vector<double> ratio, rate;
    const progress shown("unique jobs and plain messages", 1);
    for (int turn = 0; turn < turns; ++turn) {
        const auto before = per_second(session, "plain", 2 * turn * count, count);
        rate.push_back(per_second(session, "unique", turn * count, count));
        const auto after = per_second(session, "plain", (2 * turn + 1) * count, count);
        ratio.push_back(rate.back() * 2 / (before + after));
    }
    results.add("unique_over_plain", median(ratio));
    results.add("unique_per_s", median(rate));
}

}  // namespace postrider::bench
