#include "cli/stay/run_batch.hpp"

#include <utility>

#include "cli/stay/protocol.hpp"

namespace postrider::cli {
namespace {

// Single outcomes are reported only after this time: one report of the whole batch is cheaper.
constexpr auto single_reports_after = std::chrono::milliseconds(20);

}  // namespace

run_batch::run_batch(std::span<const event> events, const postrider::context& run)
    : context_(run), runs_(events.size()), outcomes_(events.size()), left_(events.size()) {
    for (std::size_t i = 0; i < events.size(); ++i) {
        runs_[i].batch = this;
        runs_[i].index = i;
        runs_[i].id = events[i].id();
        runs_[i].message = message_text(events[i], run);
    }
}

void run_batch::complete(const child_run& run, outcome how) {
    // Under the lock: the waiting thread may be the last owner.
    const std::lock_guard lock(mutex_);
    outcomes_[run.index] = std::move(how);
    fresh_.push_back(run.index);
    --left_;
    if (left_ == 0 || early_) {
        changed_.notify_one();
    }
}

std::vector<outcome> run_batch::wait(postrider::context& run) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, single_reports_after, [&] { return left_ == 0; })) {
        return std::move(outcomes_);
    }
    early_ = true;
    while (left_ > 0) {
        for (const auto index : std::exchange(fresh_, {})) {
            auto how = outcomes_[index];
            lock.unlock();
            run.report(index, std::move(how));
            lock.lock();
        }
        changed_.wait(lock, [&] { return left_ == 0 || !fresh_.empty(); });
    }
    return std::move(outcomes_);
}

}  // namespace postrider::cli
