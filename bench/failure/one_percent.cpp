// one_percent: the cost of claiming and reporting a batch of 1000 when 1 % of it fails for the
// first time, relative to a batch without failures, and the difference per failure. In turn, batch
// by batch.
#include <fmt/core.h>

#include "bench/failure/failure.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int failing_every = 100;
constexpr int warm_up = 10;
constexpr int batches = 300;  // with --quick too: with fewer the ratio is meaningless

// A log that is drained in batches, of which a part fails.
class drained_log {
  public:
    drained_log(const lab& where, std::int64_t rows, bool failing)
        : database_(where), worker_(database_.connect_consumer()), failing_(failing) {
        fill(database_, {"postrider.message"}, rows);
        database_.settle_down();
    }
    // Seconds for a report and the next claim.
    double step() {
        const stopwatch watch;
        const auto& claimed = worker_.exchange(large_batch, failures_);
        const auto took = watch.elapsed();
        failures_.clear();
        for (int i = 0; failing_ && i < claimed.size(); i += failing_every) {
            failures_.push_back({.seq = claimed[i].seq(),
                                 .handler = "bench.all",
                                 .error = "the printer does not answer",
                                 .error_class = "timeout"});
        }
        return took;
    }

  private:
    fresh_database database_;
    bench_worker worker_;
    std::vector<store::failure> failures_;
    bool failing_;
};

}  // namespace

void one_percent(const lab& where, report& results) {
    std::vector<double> ratio;
    std::vector<double> well_ms;
    std::vector<double> failure_us;
    for (int round = 0; round < where.rounds(); ++round) {
        drained_log well(where, std::int64_t{large_batch} * (batches + warm_up + 1), false);
        drained_log failing(where, std::int64_t{large_batch} * (batches + warm_up + 1), true);
        progress shown(fmt::format("one percent fails, round {}", round + 1), batches);
        // The first claim has no report, and the next ones make the plans that all later ones use.
        for (int i = 0; i < warm_up; ++i) {
            well.step();
            failing.step();
        }
        double well_time = 0;
        double failing_time = 0;
        for (int i = 0; i < batches; ++i) {
            well_time += well.step();
            failing_time += failing.step();
            shown.advance(1);
        }
        ratio.push_back(failing_time / well_time);
        well_ms.push_back(well_time / batches * 1000);
        constexpr int failures = batches * (large_batch / failing_every);
        failure_us.push_back((failing_time - well_time) / failures * 1e6);
    }
    results.add("one_percent_cost", median(ratio));
    results.add("failure_us", median(failure_us));
    results.add("batch_of_1000_ms", median(well_ms));
}

}  // namespace postrider::bench
