// schedules: how late the slots of many schedules run, how many queries workers make while none is
// due, and whether a slot fires twice when workers compete and lose their connections.
#include <fmt/core.h>

#include <mutex>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/jobs/jobs.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using wall_clock = std::chrono::system_clock;

// Cron schedules of one slot a minute each, evenly spread over its seconds.
void define(const fresh_database& database, int count) {
    auto session = database.connect();
    session.exec(fmt::format(
        "select postrider.define_schedule('s' || n, jsonb_build_object('cron', n % 60 ||"
        " ' * * * * *', 'time_zone', 'Europe/Berlin', 'message', jsonb_build_object('event_type',"
        " 'order.placed', 'payload', jsonb_build_object('n', n))))"
        " from generate_series(1, {}) n",
        count));
    session.exec("vacuum analyze postrider.schedule");
}

/// For every message, the time from its slot to the run of the handler.
class lateness_log {
  public:
    void add(const event& e) {
        const seconds late = wall_clock::now() - e.occurred_at();
        const std::lock_guard lock(mutex_);
        late_ms_.push_back(late.count() * 1000);
    }
    std::vector<double> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(late_ms_, {});
    }

  private:
    std::mutex mutex_;
    std::vector<double> late_ms_;
};

void late(const lab& where, report& results) {
    const int count = where.tiny() ? 600 : 10'000;
    const fresh_database database(where);
    define(database, count);
    lateness_log log;
    worker punctual({.database = database.conninfo(), .consumer = "bench"});
    punctual.on("*", "bench.all", [&](const event& e) { log.add(e); });
    punctual.start();
    const progress shown(fmt::format("{} schedules, {} slots a second", count, count / 60), 1);
    std::this_thread::sleep_for(seconds(2));  // slots of the seconds in which it started
    log.take();
    std::this_thread::sleep_for(seconds(where.tiny() ? 2 : where.size(30, 10)));
    const auto late_ms = log.take();
    results.add("schedule_lateness_p99_ms", quantile(late_ms, 0.99));
    results.add("schedule_lateness_p50_ms", quantile(late_ms, 0.5));
    results.add("schedule_slots", static_cast<double>(late_ms.size()));
}

// Transactions that three workers make while no schedule is due.
void idle(const lab& where, report& results) {
    const fresh_database database(where);
    auto session = database.connect();
    session.exec(fmt::format(
        "select postrider.define_schedule('s' || n, '{{\"cron\": \"@yearly\", \"message\":"
        " {{\"event_type\": \"order.placed\"}}}}') from generate_series(1, {}) n",
        where.tiny() ? 100 : 10'000));
    session.exec("alter database " + database.name() + " set track_functions = 'all'");
    std::vector<std::unique_ptr<worker>> workers;
    for (int i = 0; i < 3; ++i) {
        workers.push_back(std::make_unique<worker>(
            worker_options{.database = database.conninfo(), .consumer = "bench"}));
        workers.back()->on("*", "bench.all", [](const event&) {});
        workers.back()->start();
    }
    const progress shown("workers with no slot due", 1);
    std::this_thread::sleep_for(seconds(where.tiny() ? 1 : 3));
    const auto calls = [&] {
        session.exec("select pg_stat_force_next_flush()");
        return number(session,
                      "select coalesce(sum(calls), 0) from pg_stat_user_functions"
                      " where schemaname = 'postrider' and funcname = 'fire_due'");
    };
    const auto before = calls();
    const double length = where.tiny() ? 2 : where.size(60, 20);
    std::this_thread::sleep_for(seconds(length));
    results.add("schedule_idle_queries_per_s", static_cast<double>(calls() - before) / length);
}

// Three workers fire the same schedules while their sessions are ended at random.
void twice(const lab& where, report& results) {
    const int count = where.tiny() ? 50 : 500;
    const fresh_database database(where);
    {
        auto session = database.connect();
        session.exec(fmt::format(
            "select postrider.define_schedule('s' || n, '{{\"cron\": \"* * * * * *\", \"message\":"
            " {{\"event_type\": \"order.placed\"}}}}') from generate_series(1, {}) n",
            count));
    }
    std::vector<std::unique_ptr<worker>> workers;
    for (int i = 0; i < 3; ++i) {
        workers.push_back(
            std::make_unique<worker>(worker_options{.database = database.conninfo(),
                                                    .consumer = "bench",
                                                    .sink = std::make_shared<sink>()}));
        workers.back()->on("*", "bench.all", [](const event&) {});
        workers.back()->start();
    }
    auto session = database.connect();
    const stopwatch watch;
    const progress shown("schedules beside ended sessions", 1);
    while (watch.elapsed() < (where.tiny() ? 3 : where.size(20, 8))) {
        session.exec(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname ="
            " current_database() and pid <> pg_backend_pid() and state is not null"
            " order by random() limit 1");
        std::this_thread::sleep_for(seconds(0.2));
    }
    workers.clear();
    results.add("double_fires",
                static_cast<double>(number(session,
                                           "select count(*) - count(distinct (source, occurred_at))"
                                           " from postrider.message")));
    results.add("fires",
                static_cast<double>(number(session, "select count(*) from postrider.message")));
}

}  // namespace

void schedules(const lab& where, report& results) {
    late(where, results);
    idle(where, results);
    twice(where, results);
}

}  // namespace postrider::bench
