// dead_letter_lists: latency of operators' queries with very many dead letters in a large log: the
// first page, of all and of one handler, the groups, and the preview of a replay of one group.
#include <fmt/core.h>

#include <algorithm>

#include "bench/failure/failure.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int looks = 15;

// Every tenth message of the log is a dead letter, of 5 handlers and 200 fingerprints.
void bury_every_tenth(pg::connection& session) {
    session.exec(
        "insert into postrider.delivery (consumer_id, handler, status, outcome, attempts,"
        " attempts_total, failures, max_attempts, max_crashes, available_at, dead_at,"
        " first_failed_at, last_error, error_class, fingerprint, seq, published_at, message_id,"
        " channel, event_type, event_version, occurred_at, source, payload, idempotency_key,"
        " priority)"
        " select c.id, 'bench.handler_' || m.seq / 10 % 5, 'failed', 'transient', 5, 5, 5, 5, 3,"
        " m.published_at, clock_timestamp() - m.seq * interval '1 ms',"
        " clock_timestamp() - m.seq * interval '1 ms' - interval '1 min',"
        " 'printer ' || m.seq || ' does not answer', 'timeout', md5((m.seq / 10 % 200)::text),"
        " m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at,"
        " m.source, m.payload, m.id::text, 0"
        " from postrider.message m, postrider.consumer c"
        " where m.seq % 10 = 0 and c.name = 'bench'");
}

double median_ms(pg::connection& session, const std::string& sql) {
    std::vector<double> took;
    for (int i = 0; i < looks; ++i) {
        const stopwatch watch;
        session.exec(sql);
        took.push_back(watch.elapsed() * 1000);
    }
    return median(took);
}

}  // namespace

void dead_letter_lists(const lab& where, report& results) {
    const auto rows = where.size<std::int64_t>(10'000'000, 1'000'000);
    const fresh_database database(where);
    { const bench_worker known(database.connect()); }
    fill(database, {"postrider.message"}, rows);
    auto session = database.connect();
    {
        const progress shown(fmt::format("  {} dead letters", rows / 10), 1);
        bury_every_tenth(session);
        session.exec("select postrider.maintain()");
    }
    database.settle_down();
    const progress shown("dead letters, listed", 1);
    const auto first = median_ms(session, "select * from postrider.dead_page('{}', 50)");
    const auto of_handler = median_ms(
        session, R"(select * from postrider.dead_page('{"handler": "bench.handler_3"}'))");
    const auto groups = median_ms(
        session, "select * from postrider.dead_letter_groups order by count desc limit 100");
    const auto group = session.exec("select fingerprint from postrider.dead_letter_groups limit 1");
    const auto preview = median_ms(
        session, fmt::format(R"(select postrider.replay_preview('{{"fingerprint": "{}"}}'))",
                             group.text(0, 0)));
    results.add("dead_letters_page_ms", std::max(first, of_handler));
    results.add("dead_letters_groups_ms", groups);
    results.add("dead_letters_preview_ms", preview);
    results.add("dead_letters_count", static_cast<double>(rows) / 10);
}

}  // namespace postrider::bench
