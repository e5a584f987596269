// replay_rate: how fast bare calls give dead letters a new cycle, and how well a worker keeps to a
// given rate. replay_handled: how fast a worker moves and handles them, relative to bare calls that
// only move them.
#include <fmt/core.h>

#include <cmath>
#include <postrider/worker.hpp>

#include "bench/failure/failure.hpp"
#include "bench/lab/workload.hpp"
#include "store/operate/replays.hpp"

namespace postrider::bench {
namespace {

// A database with `count` dead letters of bench.all.
class graveyard {
  public:
    graveyard(const lab& where, int count) : database_(where), session_(database_.connect()) {
        bench_worker worker(database_.connect_consumer());
        fill(database_, {"postrider.message"}, count);
        std::vector<store::failure> failures;
        do {
            const auto& claimed = worker.exchange(large_batch, failures);
            failures.clear();
            for (int i = 0; i < claimed.size(); ++i) {
                failures.push_back({.seq = claimed[i].seq(),
                                    .how = store::outcome::terminal,
                                    .error = fmt::format("page {} is torn", i),
                                    .error_class = "paper"});
            }
        } while (!failures.empty());
        database_.settle_down();
    }
    std::int64_t start(std::optional<double> rate = {}) {
        return store::replay_start(
            session_,
            {.filter = "{}", .why = {.actor = "bench", .reason = "measured"}, .rate = rate});
    }
    // Does not count the items, which would slow down the sessions that move them.
    void wait_until_finished(std::int64_t replay) {
        while (session_
                   .exec_params("select ended_at is null from postrider.replay where id = $1",
                                pg::params(replay))
                   .get<bool>(0, 0)) {
            session_.exec("select pg_sleep(0.02)");
        }
    }
    // Items moved per second, without the first one.
    double moved_per_s(std::int64_t replay) {
        return session_
            .exec_params(
                "select (count(*) - 1) / extract(epoch from max(moved_at) - min(moved_at))"
                "::float8 from postrider.replay_item where replay_id = $1",
                pg::params(replay))
            .get<double>(0, 0);
    }
    pg::connection& session() { return session_; }
    const std::string& conninfo() const { return database_.conninfo(); }

  private:
    fresh_database database_;
    pg::connection session_;
};

double by_bare_calls(const lab& where, int count) {
    graveyard dead(where, count);
    const stopwatch watch;
    const auto replay = dead.start();
    int moved = 0;
    while (moved < count) {
        for (const auto& step : store::replay_step(dead.session(), replay)) {
            moved += step.moved;
        }
    }
    return count / watch.elapsed();
}

struct worked {
    double handled_per_s;
    double moved_per_s;
};

worked by_worker(const lab& where, int count, std::optional<double> rate) {
    graveyard dead(where, count);
    worker office({.database = dead.conninfo(), .consumer = "bench"});
    office.on("*", "bench.all", [](const event&) {});
    office.start();
    const stopwatch watch;
    const auto replay = dead.start(rate);
    dead.wait_until_finished(replay);
    return {count / watch.elapsed(), dead.moved_per_s(replay)};
}

int count_of(const lab& where) { return where.tiny() ? 500 : 10'000; }

}  // namespace

void replay_rate(const lab& where, report& results) {
    const double rate = 1000;
    const int throttled = where.size(10'000, 3'000);
    std::vector<double> bare;
    std::vector<double> off;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("replay, round {}", round + 1), 1);
        bare.push_back(by_bare_calls(where, count_of(where)));
        off.push_back(std::abs(by_worker(where, throttled, rate).moved_per_s / rate - 1));
    }
    results.add("replay_per_s", median(bare));
    results.add("replay_rate_error", median(off));
}

void replay_handled(const lab& where, report& results) {
    std::vector<double> bare;
    std::vector<double> handled;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("replay and handle, round {}", round + 1), 1);
        bare.push_back(by_bare_calls(where, count_of(where)));
        handled.push_back(by_worker(where, count_of(where), std::nullopt).handled_per_s);
        ratio.push_back(handled.back() / bare.back());
    }
    results.add("replay_per_s", median(bare));
    results.add("replay_handled_per_s", median(handled));
    results.add("replay_handled_over_replay", median(ratio));
}

}  // namespace postrider::bench
