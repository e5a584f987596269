#include "worker/coordinator/coordinator.hpp"

#include <postrider/error.hpp>
#include <utility>

namespace postrider::working {
namespace {

// Waiting does not help against these.
bool is_final(const std::exception& problem) {
    const auto* ours = dynamic_cast<const error*>(&problem);
    return ours != nullptr && !ours->retryable() &&
           (dynamic_cast<const usage_error*>(ours) != nullptr ||
            dynamic_cast<const schema_error*>(ours) != nullptr ||
            ours->code() == errc::permission_denied || ours->sqlstate() == "42883" ||
            ours->sqlstate() == "3F000");
}

}  // namespace

coordinator::coordinator(worker_options options, std::shared_ptr<thread_pool> threads)
    : context_(std::move(options), std::move(threads)),
      listening_(context_),
      due_(context_.threads->environment().handlers),
      receiving_(context_.threads->environment().handlers),
      alerts_(context_) {
    context_.figures = [this] { return figures(); };
}

void coordinator::run(const started_callback& started) {
    bool called = false;
    while (true) {
        try {
            run_services();
        } catch (const std::exception& problem) {
            if (!registered_before_ && !called && is_final(problem)) {
                started(std::current_exception());
                return;
            }
            handle_error(problem);
        }
        if (!std::exchange(called, true)) {
            started(nullptr);
        }
        if (context_.options.until_idle && !context_.stopping && idle(clock::now())) {
            begin_stop(clock::now());
        }
        if (stopped(clock::now())) {
            break;
        }
        try {
            wait();
        } catch (const std::exception& problem) {
            handle_error(problem);
        }
    }
    leave();
}

// Does everything that is due now. Claims come before the work that is not about messages.
void coordinator::run_services() {
    collect_finished();
    context_.call_timed_out = false;
    const auto now = clock::now();
    if (stop_requests() > 0 && !context_.stopping) {
        begin_stop(now);
    }
    heartbeat_.expire(context_, now);
    receiving_.run(context_, now, claim_limit(true));
    if (!trouble_.over(now)) {
        return;
    }
    if (!context_.connection) {
        connect();
    }
    heartbeat_.run(context_, now);
    listening_.run(context_, now);
    release_.run(context_, now);
    progress_.run(context_, now);
    receiving_.store(context_, now);
    const bool reported = due_.report(context_, now, context_.stopping);
    exchange(now, reported);
    due_.run(context_, now);
    schedules_.run(context_, now);
    history_.run(context_, now);
    maintenance_.run(context_, now);
    listening_.check_queue(context_, now);
    replays_.run(context_, now);
    maintenance_.retain(context_, now);
    alerts_.run(context_, now);
    if (trouble_.worked()) {
        context_.report(level::info, "recovered", "the database answers again");
    }
}

void coordinator::collect_finished() {
    auto& threads = *context_.threads;
    threads.wake().clear();
    const auto now = clock::now();
    for (auto& done : threads.take_finished()) {
        context_.speed.learn(done);
        if (done.runs > 0) {
            history_.ended(now);
        }
        context_.held.absorb(std::move(done), now);
    }
    threads.slice_size(context_.speed.slice_size());
    context_.stuck = threads.stuck_since(now - context_.speed.stuck_after());
}

void coordinator::handle_error(const std::exception& problem) {
    auto& session = context_.connection;
    const auto* ours = dynamic_cast<const error*>(&problem);
    const bool lost = (ours != nullptr && ours->connection_lost()) ||
                      (session && !session->alive()) || (ours == nullptr && !session);
    // A permanent error may belong to the session: a plan of functions that were replaced, a server
    // that became a standby, a worker that an operator removed. connect() resolves all of these,
    // and returns a claim whose answer was lost.
    if (lost || ours == nullptr || !ours->retryable()) {
        session.reset();
    }
    const auto why =
        std::exchange(context_.call_timed_out, false)
            ? std::string("no answer in time, so the connection was closed: ") + problem.what()
            : std::string(problem.what());
    if (trouble_.failed(why, clock::now())) {
        context_.report(level::warning, lost ? "connection_lost" : "database_error", why);
    }
    due_.request_thread(context_, false);  // nothing can be claimed for it
    heartbeat_.expire(context_, clock::now());
}

worker_figures coordinator::figures() const {
    return {.consumer = context_.options.consumer,
            .in_flight = context_.held.in_hand(),
            .running = context_.threads->running(),
            .listening = listening_.receives(),
            .keeper = listening_.keeper()};
}

}  // namespace postrider::working
