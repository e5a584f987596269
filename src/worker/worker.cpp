#include <future>
#include <mutex>
#include <postrider/worker.hpp>
#include <thread>

#include "base/blocked_signals.hpp"
#include "client/publish/schedule_definition.hpp"
#include "worker/check_options.hpp"
#include "worker/stop_signals.hpp"
#include "worker/worker_state.hpp"

namespace postrider {

worker::worker(worker_options options) {
    working::check(options);
    state_ = std::make_unique<state>(std::move(options));
}

worker::~worker() {
    if (state_->stop_requests == 0) {
        request_stop();
    }
    wait();
    state_->leave_drained();
}

worker& worker::add(event_types types, std::string name, handler_function run,
                    handler_options options) {
    state_->add({.name = std::move(name),
                 .patterns = std::move(types.patterns),
                 .options = std::move(options),
                 .plain = std::move(run),
                 .transactional = {},
                 .batch = {}});
    return *this;
}

worker& worker::add_transactional(event_types types, std::string name, transactional_function run,
                                  handler_options options) {
    state_->add({.name = std::move(name),
                 .patterns = std::move(types.patterns),
                 .options = std::move(options),
                 .plain = {},
                 .transactional = std::move(run),
                 .batch = {}});
    return *this;
}

worker& worker::add_batch(event_types types, std::string name, batch_function run,
                          handler_options options) {
    state_->add({.name = std::move(name),
                 .patterns = std::move(types.patterns),
                 .options = std::move(options),
                 .plain = {},
                 .transactional = {},
                 .batch = std::move(run)});
    return *this;
}

worker& worker::use(middleware around) {
    state_->require_nothing_ran("use");
    state_->threads->environment().around.push_back(std::move(around));
    return *this;
}

worker& worker::schedule(postrider::schedule definition) {
    state_->require_nothing_ran("schedule");
    client::schedule_definition(definition);  // throws for one that cannot be defined
    state_->options.schedules.push_back(std::move(definition));
    return *this;
}

void worker::start() {
    const std::lock_guard lock(state_->mutex);
    state_->require_not_started("start");
    if (state_->stop_requests > 0) {
        return;  // stopped before it was started: there is nothing to do
    }
    state_->make();
    state_->threads->start();
    std::promise<void> registered;
    auto result = registered.get_future();
    state_->started = true;
    {
        const blocked_signals meanwhile;
        state_->thread = std::thread([this, &registered] { state_->work(registered); });
    }
    try {
        result.get();
    } catch (...) {
        state_->thread.join();
        state_->running = nullptr;
        throw;
    }
}

void worker::request_stop() noexcept {
    // Passed as a total, so that a concurrent start() that passes it, too, does not double it.
    const int times = state_->stop_requests.fetch_add(1) + 1;
    if (auto* lead = state_->running.load()) {
        lead->request_stop(times);
    }
    state_->stop_requested.set();
}

void worker::wait() {
    const std::lock_guard lock(state_->mutex);
    if (!state_->thread.joinable()) {
        return;
    }
    state_->wait_until_finished();
    state_->thread.join();
    state_->running = nullptr;
}

void worker::run() {
    const working::stop_signals signals(*this);
    start();
    wait();
}

bool worker::running() const noexcept { return state_->running.load() != nullptr; }

int worker::drain() {
    const std::lock_guard lock(state_->mutex);
    state_->require_not_started("drain");
    if (state_->options.source) {
        throw usage_error("drain() reads the log; start a worker that has a source");
    }
    if (!state_->lead) {
        state_->make();
    }
    return state_->lead->drain();
}

}  // namespace postrider
