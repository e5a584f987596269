#include "worker/runs/immediate_retries.hpp"

#include <algorithm>

#include "client/classify.hpp"

namespace postrider::working {
namespace {

// Of a handler without a circuit.
constexpr int usual_failures_max = 20;

}  // namespace

void immediate_retries::start(const handler_table& handlers, int threads) {
    entries_ = std::vector<entry>(handlers.all().size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        entries_[i].by = &handlers.all()[i];
    }
    threads_ = threads;
    stopped_ = false;
}

void immediate_retries::learn(std::span<const store::immediate_retry_grant> grants) {
    for (auto& one : entries_) {
        const auto found =
            std::ranges::find(grants, one.by->name, &store::immediate_retry_grant::handler);
        if (found == grants.end()) {
            one.retries = 0;
            continue;
        }
        // Each thread may be about to repeat a run that will succeed.
        one.failures_max = (found->failures > 0 ? found->failures : usual_failures_max) + threads_;
        one.retries = found->retries;
    }
}

immediate_retries::entry* immediate_retries::of(const handler& by) {
    const auto found = std::ranges::find(entries_, &by, &entry::by);
    return found == entries_.end() ? nullptr : &*found;
}

// With this many failures in a row the handler's dependency is down. It must not get several times
// the load, and the messages that the worker holds must not become dead letters before the circuit
// opens: each failure is reported at once.
bool immediate_retries::failed(const handler& by, const outcome& how, int attempts,
                               std::optional<int> max_attempts) {
    auto* const one = of(by);
    if (one == nullptr || how.kind != outcome_kind::transient) {
        return false;
    }
    if (one->failures >= one->failures_max) {
        return false;
    }
    ++one->failures;
    return !stopped_ && attempts <= one->retries && !how.delay &&
           (!max_attempts || attempts < *max_attempts) &&
           !client::is_listed(by.options.outage_classes, how.error_class);
}

void immediate_retries::succeeded(const handler& by) {
    auto* const one = of(by);
    if (one != nullptr && one->failures.load(std::memory_order_relaxed) > 0) {
        one->failures = 0;
    }
}

}  // namespace postrider::working
