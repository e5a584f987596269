// claim_latency: whether a claim takes longer behind a large backlog than behind a small one.
#include <fmt/core.h>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int claims = 2000;
constexpr std::int64_t claimed_rows = std::int64_t{small_batch} * claims;

// A consumer of its own database with a backlog that never falls below a size.
class backlog {
  public:
    backlog(const lab& where, std::int64_t rows)
        : database_(where), worker_(database_.connect_consumer()) {
        fill(database_, {"postrider.message"}, rows);
        database_.settle_down();
    }
    // Milliseconds per claim.
    std::vector<double> measure() {
        fill(database_, {"postrider.message"}, claimed_rows);
        std::vector<double> took;
        for (int i = 0; i < claims; ++i) {
            const stopwatch watch;
            worker_.exchange(small_batch);
            took.push_back(watch.elapsed() * 1000);
        }
        return took;
    }

  private:
    fresh_database database_;
    bench_worker worker_;
};

}  // namespace

void claim_latency(const lab& where, report& results) {
    const auto large_rows = where.size<std::int64_t>(10'000'000, 1'000'000);
    backlog small(where, 10'000);
    backlog large(where, large_rows);
    std::vector<double> ratio;
    std::vector<double> small_p99;
    std::vector<double> large_p99;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("claim latency, round {}", round + 1), 1);
        for (int side = 0; side < 2; ++side) {
            if ((round + side) % 2 == 0) {
                small_p99.push_back(quantile(small.measure(), 0.99));
            } else {
                large_p99.push_back(quantile(large.measure(), 0.99));
            }
        }
        ratio.push_back(large_p99.back() / small_p99.back());
    }
    results.add("claim_p99_10m_over_10k", median(ratio));
    results.add("claim_backlog_rows", static_cast<double>(large_rows));
    results.add("claim_p99_small_ms", median(small_p99));
    results.add("claim_p99_large_ms", median(large_p99));
}

}  // namespace postrider::bench
