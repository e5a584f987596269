#include "worker/worker_state.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <postrider/error.hpp>

#include "worker/stderr_log.hpp"

namespace postrider {

using std::chrono::milliseconds;

worker::state::state(worker_options settings)
    : options(std::move(settings)),
      threads(std::make_shared<working::thread_pool>(options.concurrency)) {
    threads->environment().consumer = options.consumer;
    threads->environment().database = options.database;
    threads->environment().call_timeout = options.call_timeout;
}

void worker::state::require_not_started(const char* call) const {
    if (started) {
        throw usage_error(std::string(call) + "() must be called before the worker is started");
    }
}

// Runners keep pointers to handlers.
void worker::state::require_nothing_ran(const char* call) const {
    require_not_started(call);
    if (lead) {
        throw usage_error(std::string(call) + "() must be called before the worker is drained");
    }
}

void worker::state::add(working::handler one) {
    require_nothing_ran("on");
    threads->environment().handlers.add(std::move(one));
}

void worker::state::make() {
    auto& environment = threads->environment();
    if (environment.handlers.empty()) {
        throw usage_error("a worker needs a handler: call on() before start()");
    }
    leave_drained();
    environment.immediate.start(environment.handlers, options.concurrency);
    auto reports = options.sink ? options.sink : default_sink();
    environment.only_log = !reports;
    environment.reports = reports ? std::move(reports) : working::stderr_log();
    lead = std::make_unique<working::coordinator>(options, threads);
}

void worker::state::work(std::promise<void>& registered) {
    running = lead.get();
    if (stop_requests > 0) {
        lead->request_stop(stop_requests);  // requested before `running` was set
    }
    bool impossible = false;
    lead->run([&](const std::exception_ptr& problem) {
        impossible = problem != nullptr;
        if (problem) {
            registered.set_exception(problem);
        } else {
            registered.set_value();
        }
    });
    if (impossible) {
        threads->close(true);
    }
    finished.set();
}

void worker::state::wait_until_finished() {
    using clock = std::chrono::steady_clock;
    constexpr auto moment = milliseconds(250);
    std::array<pollfd, 2> sources{pollfd{finished.descriptor(), POLLIN, 0},
                                  pollfd{stop_requested.descriptor(), POLLIN, 0}};
    std::optional<clock::time_point> cut_at;
    while (true) {
        int left = -1;
        if (cut_at) {
            const auto until = std::chrono::ceil<milliseconds>(*cut_at - clock::now());
            left = static_cast<int>(std::clamp<std::int64_t>(until.count(), 0, 60'000));
        }
        const int ready = ::poll(sources.data(), sources.size(), left);
        if (ready > 0 && sources[0].revents != 0) {
            return;
        }
        const auto now = clock::now();
        if (ready > 0 && sources[1].revents != 0) {
            stop_requested.clear();
            const auto timeout = stop_requests > 1
                                     ? milliseconds(0)
                                     : options.shutdown_timeout + working::stop_request_timeout;
            cut_at = std::min(cut_at.value_or(clock::time_point::max()), now + timeout + moment);
        }
        if (cut_at && now >= *cut_at) {
            threads->environment().watchdog.cut_all();
            cut_at = now + moment;
        }
    }
}

void worker::state::leave_drained() noexcept {
    if (lead && !started) {
        lead->leave();
    }
}

}  // namespace postrider
