#include "worker/leases/progress.hpp"

#include <algorithm>
#include <span>

#include "store/work/progress.hpp"

namespace postrider::working {
namespace {

constexpr auto interval = std::chrono::seconds(1);
constexpr std::size_t reports_per_call = 500;

bool has_outcomes(const ledger& held, clock::time_point now) {
    return !held.due_reports().empty() || !held.reports(now, true).empty();
}

}  // namespace

clock::time_point progress::next_at(const worker_context& context) const {
    return context.threads->environment().progress.empty() ? clock::time_point::max() : next_;
}

void progress::run(worker_context& context, clock::time_point now) {
    auto& board = context.threads->environment().progress;
    if (board.empty() || (now < next_ && !has_outcomes(context.held, now))) {
        return;
    }
    next_ = now + interval;
    auto& session = context.session();
    const auto began = clock::now();
    const auto watched = context.watch(session);
    auto reports = board.take();
    try {
        while (!reports.empty()) {
            const auto count = std::min(reports.size(), reports_per_call);
            store::record_progress(session, context.id, std::span(reports).first(count));
            reports.erase(reports.begin(), reports.begin() + static_cast<std::ptrdiff_t>(count));
        }
    } catch (...) {
        board.put_back(std::move(reports));
        throw;
    }
    context.measure("record_progress", began);
}

}  // namespace postrider::working
