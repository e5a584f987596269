#include <postrider/testing.hpp>

namespace postrider::testing {
namespace {

// A handler that puts its message off for ever would keep the test for ever.
constexpr std::size_t runs_max = 1000;

bool charged(const outcome& how) {
    return how.kind == outcome_kind::failed || how.kind == outcome_kind::terminal;
}

// What conclude() of the database decides: when to try again, or never.
std::optional<std::chrono::microseconds> wait_after(const started_run& run,
                                                    const handler_options& options,
                                                    int attempts_max, double u) {
    if (run.how.kind == outcome_kind::terminal ||
        (charged(run.how) && run.attempts >= attempts_max)) {
        return std::nullopt;
    }
    if (run.how.delay) {
        return *run.how.delay;
    }
    return charged(run.how) ? delay(options.retry, run.attempts, u) : std::chrono::microseconds(0);
}

}  // namespace

std::vector<std::chrono::microseconds> schedule(const handler_options& options, double u) {
    std::vector<std::chrono::microseconds> waits;
    for (int attempt = 1; attempt < options.max_attempts; ++attempt) {
        waits.push_back(delay(options.retry, attempt, u));
    }
    return waits;
}

cycle internal::run_cycle(const handler_function& handler, const message& published,
                          fake_clock& clock, run_options options, double u) {
    const received event_of(published);
    const auto attempts_max = published.max_attempts.value_or(options.handler.max_attempts);
    cycle so_far;
    while (so_far.runs.size() < runs_max) {
        so_far.runs.push_back({clock.now(), options.attempts,
                               internal::run_plain(handler, event_of.front(), options)});
        const auto& last = so_far.runs.back();
        if (last.how.ok()) {
            so_far.delivered = true;
            return so_far;
        }
        const auto wait = wait_after(last, options.handler, attempts_max, u);
        if (!wait) {
            return so_far;
        }
        clock.advance(*wait);
        options.attempts += charged(last.how) ? 1 : 0;
    }
    throw expectation_failed(
        "the handler ran " + std::to_string(runs_max) +
        " times without an end; the last outcome: " + describe(so_far.runs.back().how));
}

}  // namespace postrider::testing
