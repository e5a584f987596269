#include <postrider/testing.hpp>

namespace postrider::testing {
namespace {

// Ends the test of a handler that always snoozes.
constexpr std::size_t runs_max = 1000;
// The database's setting, as it is delivered.
constexpr int default_attempts = 5;

bool charged(const outcome& how) {
    return how.kind == outcome_kind::transient || how.kind == outcome_kind::terminal;
}

// The decision of the database's decide(): the delay before the next attempt, or none.
std::optional<std::chrono::microseconds> wait_after(const started_run& run,
                                                    const handler_options& options,
                                                    int attempts_max, double u) {
    if (!charged(run.how)) {
        return run.how.delay.value_or(std::chrono::milliseconds(0));
    }
    if (run.how.kind == outcome_kind::terminal || run.attempts >= attempts_max) {
        return std::nullopt;
    }
    return run.how.delay ? *run.how.delay : delay(options.retry, run.attempts, u);
}

bool too_old(const started_run& failed, std::chrono::microseconds wait,
             fake_clock::time_point published_at, const retry_policy& policy) {
    return policy.max_age && charged(failed.how) &&
           failed.at + wait > published_at + *policy.max_age;
}

}  // namespace

std::vector<std::chrono::microseconds> schedule(const handler_options& options, double u) {
    std::vector<std::chrono::microseconds> waits;
    for (int attempt = 1; attempt < options.max_attempts.value_or(default_attempts); ++attempt) {
        waits.push_back(delay(options.retry, attempt, u));
    }
    return waits;
}

cycle internal::run_cycle(const handler_function& handler, const message& published,
                          fake_clock& clock, run_options options, double u) {
    const received event_of(published);
    const auto attempts_max =
        published.max_attempts.value_or(options.handler.max_attempts.value_or(default_attempts));
    const auto published_at = clock.now();
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
        if (!wait || too_old(last, *wait, published_at, options.handler.retry)) {
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
