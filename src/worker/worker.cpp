#include <poll.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <future>
#include <mutex>
#include <postrider/error.hpp>
#include <postrider/worker.hpp>
#include <thread>

#include "pg/conninfo.hpp"
#include "worker/coordinator.hpp"
#include "worker/stderr_log.hpp"
#include "worker/stop_signals.hpp"

namespace postrider {

using working::coordinator;
using working::crew;

struct worker::state {
    explicit state(worker_options given) : options(std::move(given)) {}

    worker_options options;
    std::shared_ptr<crew> hands;
    std::unique_ptr<coordinator> lead;
    std::thread thread;
    std::mutex mutex;  // start, drain and wait
    std::atomic<bool> started = false;
    std::atomic<int> stops = 0;  // asked for before there was a coordinator
    std::atomic<coordinator*> running = nullptr;
    working::wake_event finished;
    working::wake_event hurry;

    void require_not_started(const char* call) const {
        if (started) {
            throw usage_error(std::string(call) + "() comes too late: the worker was started");
        }
    }

    // Who runs handlers holds on to them.
    void require_nothing_ran(const char* call) const {
        require_not_started(call);
        if (lead) {
            throw usage_error(std::string(call) + "() comes too late: the worker was drained");
        }
    }

    void add(working::handler one) {
        require_nothing_ran("on");
        hands->environment().handlers.add(std::move(one));
    }

    void work(std::promise<void>& news) {
        running = lead.get();
        if (stops > 0) {
            lead->request_stop(stops);  // asked for before there was anybody to ask
        }
        bool impossible = false;
        lead->run([&](const std::exception_ptr& problem) {
            impossible = problem != nullptr;
            if (problem) {
                news.set_exception(problem);
            } else {
                news.set_value();
            }
        });
        if (impossible) {
            hands->dismiss(true);
        }
        finished.set();
    }

    // The end of the grace period, and a second request, must end calls to the database that are
    // under way, too, if they do not end by themselves in a moment.
    void wait_until_finished() {
        using std::chrono::milliseconds;
        using clock = std::chrono::steady_clock;
        constexpr auto moment = milliseconds(250);
        std::array<pollfd, 2> sources{pollfd{finished.descriptor(), POLLIN, 0},
                                      pollfd{hurry.descriptor(), POLLIN, 0}};
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
                hurry.clear();
                const auto grace =
                    stops > 1 ? milliseconds(0) : options.shutdown_timeout + working::last_chance;
                cut_at = std::min(cut_at.value_or(clock::time_point::max()), now + grace + moment);
            }
            if (cut_at && now >= *cut_at) {
                hands->environment().watchdog.cut_all();
                cut_at = now + moment;
            }
        }
    }

    // One that was started leaves by itself.
    void leave_drained() noexcept {
        if (lead && !started) {
            lead->leave();
        }
    }

    void make() {
        if (hands->environment().handlers.empty()) {
            throw usage_error("a worker needs a handler: call on() before start()");
        }
        leave_drained();
        auto reports = options.sink ? options.sink : default_sink();
        hands->environment().only_log = !reports;
        hands->environment().reports = reports ? std::move(reports) : working::stderr_log();
        lead = std::make_unique<coordinator>(options, hands);
    }
};

namespace {

void check(const worker_options& options) {
    pg::check_conninfo(options.database);
    working::require_text(options.consumer, "the consumer's name");
    working::require_text(options.channel, "the channel's name");
    if (options.consumer.empty()) {
        throw usage_error("a worker works for a consumer: give it a name, for example \"billing\"");
    }
    if (options.concurrency < 1 || options.concurrency > 1000) {
        throw usage_error("concurrency must be between 1 and 1000");
    }
    if (options.batch_max < 1 || options.batch_max > 10'000 || options.in_flight_max < 1) {
        throw usage_error("batch_max must be between 1 and 10000, in_flight_max at least 1");
    }
    if (options.heartbeat_timeout < std::chrono::seconds(1) || options.heartbeat_timeout > std::chrono::hours(24)) {
        throw usage_error("heartbeat_timeout must be between 1 second and 1 day");
    }
    for (const auto length : {options.sweep, options.poll, options.call_timeout}) {
        if (length <= std::chrono::milliseconds(0) || length > working::timeout_max) {
            throw usage_error("sweep, poll and call_timeout must be positive, and at most 24 days");
        }
    }
    if (options.shutdown_timeout < std::chrono::milliseconds(0) ||
        options.shutdown_timeout > working::timeout_max) {
        throw usage_error("shutdown_timeout must not be negative, and at most 24 days");
    }
}

}  // namespace

worker::worker(worker_options options) {
    check(options);
    state_ = std::make_unique<state>(std::move(options));
    state_->hands = std::make_shared<crew>(state_->options.concurrency);
    state_->hands->environment().consumer = state_->options.consumer;
    state_->hands->environment().database = state_->options.database;
    state_->hands->environment().call_timeout = state_->options.call_timeout;
}

worker::~worker() {
    if (state_->stops == 0) {
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
    state_->hands->environment().around.push_back(std::move(around));
    return *this;
}

void worker::start() {
    const std::lock_guard lock(state_->mutex);
    state_->require_not_started("start");
    if (state_->stops > 0) {
        return;  // stopped before it was started: there is nothing to do
    }
    state_->make();
    state_->hands->start();
    std::promise<void> news;
    auto heard = news.get_future();
    state_->started = true;
    state_->thread = std::thread([this, &news] { state_->work(news); });
    try {
        heard.get();
    } catch (...) {
        state_->thread.join();
        state_->running = nullptr;
        throw;
    }
}

void worker::request_stop() noexcept {
    // Told as a number, so that whoever starts meanwhile and tells it, too, does not double it.
    const int times = state_->stops.fetch_add(1) + 1;
    if (auto* lead = state_->running.load()) {
        lead->request_stop(times);
    }
    state_->hurry.set();
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
    if (!state_->lead) {
        state_->make();
    }
    return state_->lead->drain();
}

std::string context::run_key(const event& of) const {
    return of.id() + "/" + std::to_string(values_.cycle) + "/" + std::to_string(values_.attempts);
}

}  // namespace postrider
