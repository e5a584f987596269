// drain_kinds: the cost of claiming a message that has the consumer as its target, and of any
// message for a worker that lacks one of the consumer's handlers, relative to the same without; and
// the cost of parking a message with a priority. Batches of 1000, one after the other in one
// database.
#include <fmt/core.h>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"
#include "store/work/workers.hpp"

namespace postrider::bench {
namespace {

// A log that is filled and drained repeatedly.
class worked_log {
  public:
    explicit worked_log(const lab& where)
        : database_(where), worker_(database_.connect_consumer()) {}

    // From now on the worker lacks a handler.
    void add_handler() const {
        auto other = database_.connect();
        store::register_worker(other,
                               {.worker = uuid::random(),
                                .consumer = "bench",
                                .handlers = {{.name = "bench.other", .event_types = {"other"}}}});
    }
    // Microseconds for a message.
    double message_us(const char* kind, std::int64_t rows, const store::new_message& envelope) {
        fill(database_, {"postrider.message"}, rows, envelope);
        progress shown(fmt::format("drain, {}", kind), rows);
        const auto planned = step();
        shown.advance(planned);
        const stopwatch watch;
        while (const int got = step()) {
            shown.advance(got);
        }
        return watch.elapsed() * 1e6 / static_cast<double>(rows - planned);
    }

  private:
    // Claims or parks the next messages; returns their number.
    int step() {
        const auto& claimed = worker_.exchange(large_batch);
        return claimed.size() + claimed.parked();
    }

    fresh_database database_;
    bench_worker worker_;
};

}  // namespace

void drain_kinds(const lab& where, report& results) {
    const auto rows = where.size<std::int64_t>(100'000, 10'000);
    auto targeted = usual_envelope;
    targeted.target = "bench";
    std::vector<double> targeted_cost;
    std::vector<double> lacking_cost;
    for (int round = 0; round < where.rounds(); ++round) {
        worked_log log(where);
        const auto plain = log.message_us("plain", rows, usual_envelope);
        targeted_cost.push_back(log.message_us("to the consumer by name", rows, targeted) / plain);
        log.add_handler();
        lacking_cost.push_back(
            log.message_us("by a worker without a handler", rows, usual_envelope) / plain);
    }
    results.add("targeted_cost", median(targeted_cost));
    results.add("lacking_cost", median(lacking_cost));
}

}  // namespace postrider::bench
