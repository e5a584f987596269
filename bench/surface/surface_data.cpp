// The data of the measurements, written directly into the tables: through the functions it would
// take hours.
#include <fmt/core.h>

#include <atomic>
#include <future>

#include "bench/lab/workload.hpp"
#include "bench/surface/surface.hpp"

namespace postrider::bench {
namespace {

constexpr int days = 5;

// Partitions of the last days, where the log has only the one that begins with time.
void make_past(pg::connection& session) {
    const auto first =
        session.exec("select name, to_at from postrider.partitions() where from_at = '-infinity'");
    session.exec(fmt::format("drop table postrider.{}", first.text(0, 0)));
    for (int day = 0; day <= days; ++day) {
        const auto bound = [&](int back) {
            return session
                .exec(fmt::format("select quote_literal('{}'::timestamptz - interval '{} days')",
                                  first.text(0, 1), back))
                .text(0, 0);
        };
        const auto from = day == days ? "minvalue" : std::string(bound(day + 1));
        session.exec(
            fmt::format("create table postrider.message_past{} partition of postrider.message"
                        " for values from ({}) to ({})",
                        day, from, std::string(bound(day))));
    }
}

// One transaction's messages, spread evenly over the past.
std::string some_messages(std::int64_t first, std::int64_t count, std::int64_t of) {
    return fmt::format(
        "insert into postrider.message (published_at, event_type, source, workspace_id, payload,"
        " idempotency_key, trace_context)"
        " select now() - ({2} - n) * (interval '{3} days' / {2}),"
        "  (array['order.placed', 'order.paid', 'order.sent', 'mail.wanted'])[1 + n % 4], 'shop',"
        "  md5((n % 100)::text)::uuid, json_build_object('order_id', n, 'customer', n % 1000000,"
        "  'currency', 'EUR', 'total', 12.5, 'items', json_build_array(json_build_object("
        "   'sku', 'A-' || n % 99991, 'quantity', 1)), 'note', 'leave it at the door, please'),"
        "  case when n % 2 = 0 then 'key-' || n end,"
        "  case when n % 2 = 1 then '00-' || md5(n::text) || '-00f067aa0ba902b7-01' end"
        " from generate_series({0}::bigint, {0} + {1} - 1) n",
        first, count, of, days - 1);
}

void write_log(const fresh_database& database, std::int64_t rows) {
    constexpr std::int64_t batch = 5000;
    progress shown(fmt::format("  {} messages", rows), rows);
    std::atomic<std::int64_t> next = 0;
    const auto load = [&] {
        auto session = database.connect_consumer();
        for (auto first = next.fetch_add(batch); first < rows; first = next.fetch_add(batch)) {
            const auto count = std::min(batch, rows - first);
            session.exec(some_messages(first, count, rows));
            shown.advance(count);
        }
    };
    auto other = std::async(std::launch::async, load);
    load();
    other.get();
}

// A few groups are large and most are small, as in production.
constexpr auto dead_letters =
    "insert into postrider.delivery (consumer_id, handler, status, outcome, attempts,"
    " attempts_total, failures, max_attempts, max_crashes, available_at, dead_at,"
    " first_failed_at, last_error, error_class, fingerprint, seq, published_at, message_id,"
    " channel, event_type, event_version, occurred_at, source, workspace_id, payload,"
    " idempotency_key, trace_context, priority)"
    " select c.id, 'shop.handler_' || g % 5, 'failed', 'transient', 5, 5, 5, 5, 3, m.published_at,"
    "  m.published_at + interval '10 min', m.published_at + interval '1 min',"
    "  'printer ' || m.seq || ' does not answer', (array['timeout', 'sqlstate:23505'])[1 + g % 2],"
    "  md5(g::text), m.seq, m.published_at, m.id, m.channel, m.event_type, m.event_version,"
    "  m.occurred_at, m.source, m.workspace_id, m.payload, coalesce(m.idempotency_key, m.id::text),"
    "  m.trace_context, 0"
    " from postrider.consumer c, postrider.message m,"
    "  lateral (select floor(1000 * power(m.seq / 10 * 7919 % 100003 / 100003.0, 4))::int) x(g)"
    " where c.name = 'shop' and m.seq % 10 = 0";

constexpr auto retried =
    "insert into postrider.delivery (consumer_id, handler, status, attempts, attempts_total,"
    " failures, max_attempts, max_crashes, available_at, delivered_at, first_failed_at,"
    " last_error, error_class, fingerprint, seq, published_at, message_id, channel, event_type,"
    " event_version, occurred_at, source, workspace_id, payload, idempotency_key, priority)"
    " select c.id, 'shop.handler_' || m.seq / 100 % 5,"
    "  case m.seq % 200 when 1 then 'pending' else 'delivered' end, 2, 2, 2, 5, 3,"
    "  clock_timestamp() + interval '1 hour',"
    "  case m.seq % 200 when 1 then null else clock_timestamp() end,"
    "  m.published_at + interval '1 min', 'no answer', 'timeout', md5('x'), m.seq,"
    "  m.published_at, m.id, m.channel, m.event_type, m.event_version, m.occurred_at, m.source,"
    "  m.workspace_id, m.payload, coalesce(m.idempotency_key, m.id::text), 0"
    " from postrider.consumer c, postrider.message m where c.name = 'shop' and m.seq % 100 = 1";

constexpr const char* records[] = {
    "update postrider.delivery set deleted_at = clock_timestamp(), deleted_reason = 'known'"
    " where status = 'failed' and seq % 200 = 0",
    "insert into postrider.event_handled"
    " (consumer_name, handler_name, source, idempotency_key, handled_at)"
    " select 'shop', 'shop.handler_1', source, coalesce(idempotency_key, id::text), published_at"
    " from postrider.message where seq % 10 = 3",
    "insert into postrider.alert (at, event_id, event_type, source, handler_name, last_error,"
    " attempts, consumer, channel, delivery_id, cycle, fingerprint, error_class)"
    " select dead_at, message_id, event_type, source, handler, last_error, attempts, 'shop',"
    "  channel, id, cycle, fingerprint, error_class from postrider.delivery"
    " where status = 'failed' order by dead_at desc limit 100000",
    "insert into postrider.audit (actor, action, reason, filter)"
    " select 'ann', 'discard', 'known', '{\"handler\": \"shop.handler_1\"}'"
    " from generate_series(1, 100000)",
    "insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, tokens_at,"
    " total, moved_to, ended_at) select 'finished', 'ann', 'again', '{}', 0, true, now(),"
    " 100000, 100000, clock_timestamp() from generate_series(1, 20)",
    "insert into postrider.replay_item (replay_id, delivery_id, number, message_id, cycle, outcome)"
    " select 20, id, row_number() over (order by id), message_id, 1,"
    "  case id % 2 when 0 then 'delivered' else 'failed' end"
    " from postrider.delivery where status = 'failed' order by id limit 100000",
};

}  // namespace

void crowd(const fresh_database& database, std::int64_t rows) {
    auto session = database.connect_consumer();
    make_past(session);
    session.exec(
        "select postrider.register_worker(gen_random_uuid(), 'shop', jsonb_agg(jsonb_build_object("
        "'name', 'shop.handler_' || n, 'event_types', jsonb_build_array('order.*'))),"
        " p_alive_for => '1 day') from generate_series(0, 4) n");
    { const bench_worker behind(database.connect()); }
    write_log(database, rows);
    const progress shown(fmt::format("  {} dead letters and the rest", rows / 10), 1);
    // The consumer `shop` has been handed everything.
    session.exec(
        "select postrider.start_cursors(c.id, pg_current_snapshot(), clock_timestamp())"
        " from postrider.consumer c where c.name = 'shop'");
    session.exec(dead_letters);
    session.exec(retried);
    for (const auto* one : records) {
        session.exec(one);
    }
    session.exec("select postrider.maintain()");
    database.settle_down();
}

}  // namespace postrider::bench
