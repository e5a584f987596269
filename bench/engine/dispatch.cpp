// dispatch: from a claimed row to a handler that does nothing and back, without the database.
#include <benchmark/benchmark.h>

#include <postrider/error.hpp>

#include "bench/lab/workload.hpp"
#include "bench/worker/worker.hpp"
#include "worker/runs/runner.hpp"

namespace postrider::bench {
namespace {

constexpr int messages = 1000;

// Keeps the number that Google Benchmark would print.
class keep_result : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const auto& run : runs) {
            nanoseconds_ = run.GetAdjustedRealTime();
        }
    }
    double microseconds_per_message() const { return nanoseconds_ / 1000 / messages; }

  private:
    double nanoseconds_ = 0;
};

}  // namespace

void dispatch(const lab& where, report& results) {
    const fresh_database database(where);
    bench_worker claiming(database.connect());
    fill(database, {"postrider.message"}, messages);
    progress shown("dispatch to a handler", 1);
    const auto held =
        std::make_shared<working::held_batch>(store::stream::log, claiming.claim(messages));
    if (held->size() != messages) {
        throw error(errc::database_error, "the messages to dispatch were not claimed");
    }
    working::run_environment running;
    running.handlers.add({.name = "bench.all",
                          .patterns = {"*"},
                          .options = {},
                          .plain = [](const event&, context&) { return delivered(); },
                          .transactional = {},
                          .batch = {}});
    working::runner hand(running);
    benchmark::RegisterBenchmark("dispatch", [&](benchmark::State& state) {
        for (auto _ : state) {
            hand.take_up({held, 0, messages});
            auto done = hand.run();
            benchmark::DoNotOptimize(done);
        }
    });
    keep_result kept;
    benchmark::RunSpecifiedBenchmarks(&kept);
    benchmark::ClearRegisteredBenchmarks();
    results.add("dispatch_us", kept.microseconds_per_message());
}

}  // namespace postrider::bench
