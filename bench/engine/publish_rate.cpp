// publish_rate: publishing transactions of one message from 32 connections: ours with an awake
// consumer attached, the same table without the doorbell, and that table with NOTIFY in every
// commit and one listener. Also the cost of publish() compared with an INSERT, without the disk.
#include <fmt/core.h>

#include <postrider/worker.hpp>
#include <thread>

#include "bench/engine/engine.hpp"
#include "bench/engine/publishers.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int connections = 32;

// A table like the log, partitions and all, without the doorbell.
void make_plain_table(const fresh_database& database, const std::string& name) {
    auto session = database.connect();
    session.exec(fmt::format(
        "create table {} (like postrider.message including all) partition by range (published_at)",
        name));
    take_anything(session, name, "channel");
    const auto parts = session.exec(
        "select name, case when from_at = '-infinity' then 'minvalue' else quote_literal(from_at)"
        " end, case when to_at = 'infinity' then 'maxvalue' else quote_literal(to_at) end"
        " from postrider.partitions()");
    for (int row = 0; row < parts.rows(); ++row) {
        session.exec(fmt::format("create table {}_{} partition of {} for values from ({}) to ({})",
                                 name, parts.text(row, 0), name, parts.text(row, 1),
                                 parts.text(row, 2)));
    }
}

void notify_on_insert(const fresh_database& database, const std::string& name) {
    auto session = database.connect();
    session.exec(
        "create function public.notify_always() returns trigger language plpgsql as"
        " $$ begin perform pg_notify(new.channel, new.id::text); return null; end $$");
    session.exec(
        fmt::format("create trigger notify_always after insert on {}"
                    " for each row execute function public.notify_always()",
                    name));
}

double table_rate(const fresh_database& database, const std::string& table, seconds duration) {
    return publishing_rate(database,
                           fmt::format("insert into {} (event_type, source, payload)"
                                       " values ('order.placed', 'bench', $1)",
                                       table),
                           connections, duration);
}

// Ours; `beside`: a transaction that has published and stays open.
double ours_rate(const fresh_database& database, seconds duration, bool beside) {
    auto open = database.connect();
    if (beside) {
        open.exec("begin");
        open.exec("select postrider.publish('left.open')");
    }
    return table_rate(database, "postrider.message", duration);
}

double notify_rate(const fresh_database& database, seconds duration) {
    std::jthread listener([&](const std::stop_token& stop) {
        auto session = database.connect();
        session.listen("outbox_default");
        while (!stop.stop_requested()) {
            session.wait_notification(std::chrono::milliseconds(100));
        }
    });
    return table_rate(database, "public.notifying", duration);
}

double one_by_one(pg::connection& session, const char* statement, int count) {
    const stopwatch watch;
    for (int i = 0; i < count; ++i) {
        session.exec_prepared(statement, pg::params(payload(i)));
    }
    return watch.elapsed() / count;
}

// Ratio of the time of publish() to that of an INSERT, in turn on one connection.
double call_over_insert(const lab& where) {
    const fresh_database database(where);
    auto session = database.connect_consumer();
    session.prepare("insert",
                    "insert into postrider.message (event_type, source, payload)"
                    " values ('order.placed', 'bench', $1)");
    session.prepare("call", "select postrider.publish('order.placed', $1, 'bench')");
    std::vector<double> ratio;
    const progress shown("publish() and INSERT", 1);
    for (int turn = 0; turn < 20; ++turn) {
        const auto insert = one_by_one(session, "insert", 200);
        ratio.push_back(one_by_one(session, "call", 200) / insert);
    }
    return median(ratio);
}

}  // namespace

// The disk's speed changes from one second to the next: short blocks in turn, and the median of the
// ratios of neighbours.
void publish_rate(const lab& where, report& results) {
    const auto duration = seconds(where.size(3.0, 1.0));
    const int rounds = static_cast<int>(where.size(10, 3));
    const fresh_database database(where);
    make_plain_table(database, "public.plain");
    make_plain_table(database, "public.notifying");
    notify_on_insert(database, "public.notifying");
    worker consumer({.database = database.conninfo(), .consumer = "bench", .concurrency = 2});
    consumer.on("*", "bench.all", [](const event&) {});
    consumer.start();  // awake, and the channel's keeper
    std::vector<double> ours, plain, notify, over_plain, over_plain_open, over_notify;
    progress shown(fmt::format("publish from {} connections", connections), rounds);
    for (int round = 0; round < rounds; ++round) {
        plain.push_back(table_rate(database, "public.plain", duration));
        ours.push_back(ours_rate(database, duration, false));
        const auto plain_after = table_rate(database, "public.plain", duration);
        const auto ours_open = ours_rate(database, duration, true);
        notify.push_back(notify_rate(database, duration));
        over_plain.push_back(ours.back() * 2 / (plain.back() + plain_after));
        over_plain_open.push_back(ours_open / plain_after);
        over_notify.push_back(ours.back() / notify.back());
        shown.advance(1);
    }
    results.add("publish_over_plain", median(over_plain));
    results.add("publish_over_plain_open", median(over_plain_open));
    results.add("publish_over_notify", median(over_notify));
    results.add("publish_call_over_insert", call_over_insert(where));
    results.add("publish_per_s", median(ours));
    results.add("publish_plain_per_s", median(plain));
    results.add("publish_notify_per_s", median(notify));
}

}  // namespace postrider::bench
