#include "worker/doorbell/doorbell_watch.hpp"

#include "store/work/doorbell.hpp"

namespace postrider::working {
namespace {

// Together with the time after which the server ends the connection of a stopped keeper: below 5 s.
constexpr auto doorbell_interval = std::chrono::milliseconds(1800);

}  // namespace

void doorbell_watch::run(worker_context& context, listener& through, clock::time_point now) {
    if (now < next_at()) {
        return;
    }
    next_ = now + doorbell_interval;
    report_keeper_error(context);
    const auto doorbell = through.doorbell();
    switch (doorbell.state) {
        case store::announcement::kept:
            kept_ = true;
            break;
        case store::announcement::unkept:
            keeper_.start();
            return;
        case store::announcement::poll:
            kept_ = false;
            break;
        case store::announcement::unserved:
            kept_ = false;
            report_unserved(context, doorbell.holder);
            return;
    }
    if (trouble_.worked()) {
        context.report(level::info, "keeper_found", "notifications announce messages again");
    }
}

void doorbell_watch::report_keeper_error(const worker_context& context) {
    const auto problem = keeper_.take_problem();
    if (problem.empty()) {
        return;
    }
    kept_ = false;
    if (trouble_.failed(problem, clock::now())) {
        context.report(level::warning, "keeper_lost", "the doorbell cannot be kept: " + problem);
    }
}

void doorbell_watch::report_unserved(const worker_context& context, const std::string& holder) {
    if (trouble_.failed(holder, clock::now())) {
        context.report(level::warning, "keeper_unserved",
                       "a connection holds the keeper's lock of " + context.channel +
                           " but not the doorbell: " + holder + "; polling every " +
                           std::to_string(context.options.poll.count()) +
                           " ms until it ends. End it with pg_terminate_backend()");
    }
}

}  // namespace postrider::working
