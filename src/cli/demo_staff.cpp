#include "cli/demo_staff.hpp"

#include <random>

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

/// Takes one type of event, and now and then cannot.
struct task {
    std::string name;
    std::string event_type;
    unsigned failures_per_thousand;  ///< worth another attempt
    unsigned refusals_per_thousand;  ///< never going to work
    std::string error;
};

std::vector<task> warehouse() {
    return {{"warehouse.reserve", "order.placed", 30, 1, "shelf 7 is locked by a forklift"}};
}

std::vector<task> office() {
    return {{"office.book_payment", "payment.captured", 20, 0, "ledger: could not serialize"},
            {"office.send_mail", "mail.requested", 80, 5, "smtp: 451 mailbox busy"}};
}

outcome attempt(const task& what) {
    thread_local std::minstd_rand dice{std::random_device{}()};
    const auto luck = dice() % 1000;
    if (luck < what.refusals_per_thousand) {
        return terminal(what.error);
    }
    return luck < what.refusals_per_thousand + what.failures_per_thousand ? failed(what.error)
                                                                          : delivered();
}

std::unique_ptr<worker> hire(const std::string& database, const std::string& consumer,
                             const std::vector<task>& tasks, tally& counts) {
    worker_options options;
    options.database = database;
    options.consumer = consumer;
    options.concurrency = 2;
    options.stop_grace = 2s;
    auto hired = std::make_unique<worker>(std::move(options));
    // Impatient, so that a visitor sees retries and dead letters within seconds.
    handler_options how;
    how.retry = {.base = 500ms, .cap = 5s};
    how.max_attempts = 3;
    for (const auto& one : tasks) {
        hired->on(
            one.event_type, one.name,
            [one, &counts](const event&) {
                auto result = attempt(one);
                counts.delivered += result.ok() ? 1 : 0;
                return result;
            },
            how);
    }
    return hired;
}

}  // namespace

staff::staff(const std::string& database, tally& counts) {
    workers_.push_back(hire(database, "warehouse", warehouse(), counts));
    workers_.push_back(hire(database, "office", office(), counts));
}

void staff::start() {
    for (const auto& one : workers_) {
        one->start();
    }
}

void staff::stop() {
    for (const auto& one : workers_) {
        one->request_stop();
    }
    for (const auto& one : workers_) {
        one->wait();
    }
}

}  // namespace postrider::cli::demo
