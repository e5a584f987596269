#include "bench/lab/workload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "pg/copy_in.hpp"
#include "pg/pipeline.hpp"
#include "store/work/workers.hpp"

namespace postrider::bench {

double seconds_since_1970() {
    return seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string payload(std::int64_t number) {
    return fmt::format(
        R"({{"order_id": {}, "customer": "customer-{:06}", "currency": "EUR", "total": {}.{:02}, )"
        R"("items": [{{"sku": "A-{:05}", "quantity": {}}}, {{"sku": "B-{:05}", "quantity": 1}}], )"
        R"("note": "leave it at the door, please"}})",
        number, number % 1000003 % 1000000, number % 500, number % 100, number % 99991,
        1 + number % 5, number % 89989);
}

message_batch::message_batch(std::int64_t first, int count, const store::new_message& envelope) {
    payloads_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        payloads_.push_back(payload(first + i));
        messages_.push_back(envelope);
        messages_.back().payload = payloads_.back();
    }
}

void copy_into(pg::connection& session, const std::string& table, const store::copy_data& data) {
    pg::copy_in copy(session,
                     fmt::format("copy {} ({}) from stdin (format binary)", table, data.columns));
    copy.write(data.rows);
    copy.finish();
}

void take_anything(pg::connection& session, const std::string& table, const std::string& column) {
    const auto domains = session.exec_params(
        "select a.attname, format_type(t.typbasetype, t.typtypmod)"
        " from pg_attribute a join pg_type t on t.oid = a.atttypid"
        " where a.attrelid = $1::regclass and t.typtype = 'd' and a.attname = coalesce($2, "
        "attname)",
        pg::params(table, column.empty() ? std::optional<std::string>() : column));
    for (int row = 0; row < domains.rows(); ++row) {
        session.exec(fmt::format("alter table {} alter column {} type {}", table,
                                 domains.text(row, 0), domains.text(row, 1)));
    }
}

void fill(const fresh_database& database, std::initializer_list<const char*> tables,
          std::int64_t rows, const store::new_message& envelope) {
    constexpr std::int64_t batch = 5000;
    progress shown(fmt::format("  fill {} rows", rows), rows);
    std::atomic<std::int64_t> next = 0;
    const auto load = [&] {
        auto session = database.connect_consumer();
        for (auto first = next.fetch_add(batch); first < rows; first = next.fetch_add(batch)) {
            const auto count = static_cast<int>(std::min(batch, rows - first));
            const auto data = store::copy_rows(message_batch(first, count, envelope).messages());
            for (const auto* table : tables) {
                copy_into(session, table, data);
            }
            shown.advance(count);
        }
    };
    auto other = std::async(std::launch::async, load);
    load();
    other.get();
}

std::vector<published> publish_steadily(pg::connection& session, std::size_t count) {
    constexpr auto interval = std::chrono::milliseconds(5);
    session.prepare("publish",
                    "insert into postrider.message (event_type, event_version, source, payload)"
                    " values ('order.placed', $1, 'bench', $2)");
    std::vector<published> all(count);
    auto next = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; ++i) {
        std::this_thread::sleep_until(next += interval);
        session.exec("begin");
        session.exec_prepared("publish", pg::params(i, payload(static_cast<std::int64_t>(i))));
        all[i].commit_sent = std::chrono::steady_clock::now();
        session.exec("commit");
        all[i].committed = std::chrono::steady_clock::now();
    }
    return all;
}

std::int64_t number(pg::connection& session, const std::string& sql) {
    return session.exec(sql).get<std::int64_t>(0, 0);
}

std::int64_t wal_position(pg::connection& session) {
    return number(session, "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint");
}

bench_worker::bench_worker(pg::connection session) : session_(std::move(session)) {
    store::register_worker(session_, {.worker = id_,
                                      .consumer = "bench",
                                      .handlers = {{.name = "bench.all", .event_types = {"*"}}}});
    store::prepare_exchange(session_);
}

const store::claimed_batch& bench_worker::exchange(int limit,
                                                   std::span<const store::failure> failures) {
    batch_ = store::exchange(
        session_, {.worker = id_, .limit = limit, .lease = batch_.lease(), .failures = failures});
    return batch_;
}

void bench_worker::drain(int limit, const std::function<void(int)>& taken) {
    pg::pipeline line(session_);
    const auto send = [&](const std::optional<store::lease_ref>& settled) {
        line.send_prepared(
            store::exchange_statement(store::stream::log),
            store::exchange_params({.worker = id_, .limit = limit, .lease = settled}),
            pg::format::binary);
        line.sync();
    };
    send({});
    send({});
    while (line.outstanding() > 0) {
        const store::claimed_batch batch(line.receive());
        line.receive_sync();
        if (!batch.empty()) {
            send(batch.lease());
            taken(batch.size());
        }
    }
}

}  // namespace postrider::bench
