// overtake: how long an urgent message waits behind a backlog of ordinary ones, and an ordinary
// message behind many that are due later; from just before COMMIT is sent to the handler.
#include <fmt/core.h>

#include <algorithm>
#include <postrider/worker.hpp>
#include <thread>

#include "bench/due/due.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int urgent_messages = 5;
constexpr const char* marked = "order.cancelled";

// When messages of the type `marked` start; an event's version is its number.
class starts {
  public:
    explicit starts(int count) : at_(static_cast<std::size_t>(count)), left_(count) {}
    void note(const event& e) {
        at_.at(static_cast<std::size_t>(e.event_version() - 1)) = clock::now();
        left_.step();
    }
    clock::time_point of(int number) {
        left_.wait();
        return at_.at(static_cast<std::size_t>(number - 1));
    }

  private:
    std::vector<clock::time_point> at_;
    countdown left_;
};

clock::time_point publish_marked(pg::connection& session, int number, int priority) {
    session.exec("begin");
    session.exec_params(
        "insert into postrider.message (event_type, event_version, source, payload, priority)"
        " values ($1, $2, 'bench', $3, $4)",
        pg::params(marked, number, payload(number), priority));
    const auto sent = clock::now();
    session.exec("commit");
    return sent;
}

std::vector<double> behind_backlog(const lab& where) {
    const fresh_database database(where);
    { const bench_worker known(database.connect()); }
    fill(database, {"postrider.message"}, part_of(where, 100'000));
    database.settle_down();
    starts started(urgent_messages);
    worker busy({.database = database.conninfo(), .consumer = "bench", .concurrency = 4});
    busy.on("*", "bench.all", [&](const event& e) {
        if (e.event_type() == marked) {
            started.note(e);
        } else {
            std::this_thread::sleep_for(milliseconds(1));
        }
    });
    busy.start();
    // By then the worker holds as many messages as it chooses for such a handler.
    std::this_thread::sleep_for(milliseconds(where.tiny() ? 50 : 500));
    auto session = database.connect();
    std::vector<clock::time_point> sent;
    for (int number = 1; number <= urgent_messages; ++number) {
        sent.push_back(publish_marked(session, number, 100));
        std::this_thread::sleep_for(milliseconds(where.tiny() ? 5 : 100));
    }
    std::vector<double> waited;
    for (int number = 1; number <= urgent_messages; ++number) {
        const auto since = sent[static_cast<std::size_t>(number - 1)];
        waited.push_back(seconds(started.of(number) - since).count() * 1000);
    }
    busy.request_stop();
    busy.wait();
    return waited;
}

double behind_delayed(const lab& where) {
    const fresh_database database(where);
    starts started(2);
    worker idle({.database = database.conninfo(), .consumer = "bench"});
    idle.on("*", "bench.all", [&](const event& e) { started.note(e); });
    idle.start();
    auto session = database.connect();
    publish_marked(session, 1, 0);  // the first one makes query plans
    std::this_thread::sleep_for(milliseconds(200));
    auto delayed = usual_envelope;
    delayed.available_at = std::chrono::system_clock::now() + std::chrono::hours(1);
    const message_batch many(0, part_of(where, 50'000), delayed);
    store::copy_messages(session, many.messages());
    const auto sent = publish_marked(session, 2, 0);
    return seconds(started.of(2) - sent).count() * 1000;
}

}  // namespace

void overtake(const lab& where, report& results) {
    std::vector<double> median_ms;
    std::vector<double> worst_ms;
    std::vector<double> delayed_ms;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("overtake, round {}", round + 1), 1);
        const auto waited = behind_backlog(where);
        median_ms.push_back(median(waited));
        worst_ms.push_back(std::ranges::max(waited));
        delayed_ms.push_back(behind_delayed(where));
    }
    results.add("overtake_ms", median(median_ms));
    results.add("overtake_worst_ms", median(worst_ms));
    results.add("behind_delayed_ms", median(delayed_ms));
}

}  // namespace postrider::bench
