// drain_kinds: what it costs to claim a message that is published to the consumer by name, and any
// message by a worker that lacks one of the consumer's handlers, over the same without; and to park
// one that has a priority. Batches of 1000.
#include <fmt/core.h>

#include "bench/engine.hpp"
#include "bench/workload.hpp"
#include "store/workers.hpp"

namespace postrider::bench {
namespace {

constexpr int batch = 1000;

struct kind {
    const char* name;
    store::new_message envelope = usual_envelope;
    bool lacking = false;
};

// Claims or parks the next messages; gives how many.
int step(bench_worker& worker) {
    const auto& claimed = worker.exchange(batch);
    return claimed.size() + claimed.parked();
}

// Microseconds for a message, until the log is worked off.
double message_us(const lab& where, const kind& what, std::int64_t rows) {
    const fresh_database database(where);
    bench_worker worker(database.connect_consumer());
    if (what.lacking) {
        auto other = database.connect();
        store::register_worker(other,
                               {.worker = uuid::random(),
                                .consumer = "bench",
                                .handlers = {{.name = "bench.other", .event_types = {"other"}}}});
    }
    fill(database, {"postrider.message"}, rows, what.envelope);
    database.settle_down();
    progress shown(fmt::format("drain, {}", what.name), rows);
    const auto planned = step(worker);
    shown.advance(planned);
    const stopwatch watch;
    while (const int got = step(worker)) {
        shown.advance(got);
    }
    return watch.elapsed() * 1e6 / static_cast<double>(rows - planned);
}

}  // namespace

void drain_kinds(const lab& where, report& results) {
    const auto rows = where.size<std::int64_t>(100'000, 10'000);
    auto targeted = usual_envelope;
    targeted.target = "bench";
    auto preferred = usual_envelope;
    preferred.priority = 5;
    std::vector<double> targeted_cost;
    std::vector<double> lacking_cost;
    std::vector<double> parked_us;
    for (int round = 0; round < where.rounds(); ++round) {
        const auto plain = message_us(where, {.name = "plain"}, rows);
        targeted_cost.push_back(
            message_us(where, {.name = "to the consumer by name", .envelope = targeted}, rows) /
            plain);
        lacking_cost.push_back(
            message_us(where, {.name = "by who lacks a handler", .lacking = true}, rows) / plain);
        parked_us.push_back(
            message_us(where, {.name = "with a priority", .envelope = preferred}, rows / 5));
    }
    results.add("targeted_cost", median(targeted_cost));
    results.add("lacking_cost", median(lacking_cost));
    results.add("parked_us", median(parked_us));
}

}  // namespace postrider::bench
