// A run of a handler of single events, and its immediate retries.
#include <chrono>

#include "client/classify.hpp"
#include "worker/runs/runner.hpp"

namespace postrider::working {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

store::earlier_run earlier_run_of(outcome how, clock::duration spent) {
    how = client::reportable(std::move(how));
    return {.error = std::move(how.error),
            .error_class = std::move(how.error_class),
            .duration = duration_cast<microseconds>(spent),
            .ago = {}};
}

}  // namespace

// The same thread repeats a run before it starts the next message: a message of the same ordering
// key must not overtake it.
void runner::run_one(const handler& by, const event& event, attempt which, place at,
                     finished_slice& done) {
    std::vector<store::earlier_run> earlier;
    while (true) {
        clock::duration spent = {};
        const auto began = earlier.empty() ? clock::time_point{} : clock::now();
        auto how = attempt_one(by, event, which, at, spent);
        ++done.runs;
        if (how.ok()) {
            shared_.immediate.succeeded(by);
            return;
        }
        for (auto& one : earlier) {
            one.ago += duration_cast<microseconds>(clock::now() - began);
        }
        if (!runs_again(by, how, which, at, spent)) {
            note(done, at.index, &by, std::move(how), spent);
            done.failures.back().earlier = std::move(earlier);
            return;
        }
        earlier.push_back(earlier_run_of(std::move(how), spent));
        ++which.attempts;
        which.published.reset();
    }
}

// Only within a lease: the attempts of a due delivery are counted in its row. After a timeout the
// lease is no longer extended.
bool runner::runs_again(const handler& by, const outcome& how, const attempt& which, place at,
                        clock::duration spent) {
    return at.batch.is_lease() &&
           shared_.immediate.failed(by, how, which.attempts, at.batch.max_attempts(at.index)) &&
           spent < by.options.timeout && may_begin(at.batch) && !at.batch.is_cancelled(at.index);
}

}  // namespace postrider::working
