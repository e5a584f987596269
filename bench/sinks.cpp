// postrider-bench-sinks: the cost of a record for the thread that reports it.
#include <benchmark/benchmark.h>

#include <postrider/sinks.hpp>

namespace {

using namespace std::chrono_literals;

const postrider::trace_ids trace{"4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7",
                                 "1111111111111111"};

postrider::handle_record a_run() {
    return {.started_at = std::chrono::system_clock::now(),
            .duration = 1234us,
            .message_id = "01890a5d-ac96-774b-bcce-b302099a8057",
            .event_type = "order.placed",
            .source = "shop",
            .consumer = "billing",
            .handler = "billing.send_invoice",
            .outcome = "delivered",
            .trace = &trace};
}

void handle(benchmark::State& state, postrider::sink& to) {
    const auto run = a_run();
    for ([[maybe_unused]] auto _ : state) {
        to.handled(run);
    }
}

void prometheus_handled(benchmark::State& state) {
    static const auto to = postrider::prometheus_sink({.listen = ""});
    handle(state, *to);
}
BENCHMARK(prometheus_handled)->ThreadRange(1, 4)->UseRealTime();

void prometheus_figures(benchmark::State& state) {
    static const auto to = postrider::prometheus_sink({.listen = ""});
    const postrider::worker_figures figures{.consumer = "billing",
                                            .in_flight = 10,
                                            .running = 3,
                                            .operation = "exchange",
                                            .operation_time = 300us};
    for ([[maybe_unused]] auto _ : state) {
        to->figures(figures);
    }
}
BENCHMARK(prometheus_figures);

void json_lines_handled(benchmark::State& state) {
    static const auto to = postrider::json_lines_sink({.to = "/dev/null"});
    handle(state, *to);
}
BENCHMARK(json_lines_handled)->ThreadRange(1, 4)->UseRealTime();

void json_lines_left_out(benchmark::State& state) {
    static const auto to =
        postrider::json_lines_sink({.to = "/dev/null", .delivered = postrider::level::debug});
    handle(state, *to);
}
BENCHMARK(json_lines_left_out);

// Without a collector: spans are queued while there is room, then dropped.
void otlp_handled(benchmark::State& state) {
    const auto to = postrider::otlp_sink({.endpoint = "http://127.0.0.1:1",
                                          .queue_max = static_cast<std::size_t>(state.range(0)),
                                          .farewell = 0ms,
                                          .problems = postrider::prometheus_sink({.listen = ""})});
    handle(state, *to);
}
BENCHMARK(otlp_handled)->ArgName("queue")->Arg(1'000'000)->Arg(1)->Iterations(100'000);

}  // namespace

BENCHMARK_MAIN();
