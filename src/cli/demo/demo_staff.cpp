#include "cli/demo/demo_staff.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <random>

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

/// One handler for one event type.
struct task {
    std::string name;
    std::string event_type;
    std::function<outcome(const event&)> handle;
};

nlohmann::json read(const event& message) { return nlohmann::json::parse(message.payload()); }

// True in one of `times` calls on average.
bool unlucky(unsigned times) {
    thread_local std::minstd_rand random{std::random_device{}()};
    return random() % times == 0;
}

outcome book_payment(const event& payment) {
    if (read(payment).value("amount", "") == "NaN") {
        return terminal("the amount is not a number: NaN", "bad_amount");
    }
    return unlucky(40) ? transient("ledger: could not serialize access", "sqlstate:40001")
                       : delivered();
}

outcome send_mail(const event& mail, const incidents& going_on) {
    if (read(mail).value("to", "").find('@') == std::string::npos) {
        return terminal("the address has no host", "bad_address");
    }
    if (going_on.mail_is_down) {
        return transient("smtp: connect to mail.example.com:25: connection refused", "smtp_down");
    }
    return unlucky(25) ? transient("smtp: 451 4.2.1 mailbox busy, try again", "smtp:451")
                       : delivered();
}

outcome reserve(const event& order, const incidents& going_on) {
    if (going_on.shelf_is_broken && read(order).value("shelf", 0) == 13) {
        return transient("shelf 13 does not exist", "no_such_shelf");
    }
    return unlucky(60) ? transient("shelf is locked by a forklift", "timeout") : delivered();
}

std::unique_ptr<worker> hire(const std::string& database, const std::string& consumer,
                             const task& one, tally& counts, const broker_side* behind) {
    worker_options options;
    options.database = database;
    options.consumer = consumer;
    options.concurrency = 2;
    options.shutdown_timeout = 2s;
    if (behind != nullptr) {
        options.source = behind->source_for(consumer, one.event_type);
    }
    auto hired = std::make_unique<worker>(std::move(options));
    // Short delays, so that retries and dead letters appear within seconds.
    handler_options how;
    how.retry = {.base = 500ms, .cap = 5s};
    how.max_attempts = 3;
    hired->on(
        one.event_type, one.name,
        [handle = one.handle, &counts](const event& message) {
            auto result = handle(message);
            counts.delivered += result.ok() ? 1 : 0;
            return result;
        },
        how);
    return hired;
}

}  // namespace

staff::staff(const std::string& database, tally& counts, const incidents& going_on,
             const broker_side* behind) {
    const auto add = [&](const std::string& consumer, const task& one) {
        workers_.push_back(hire(database, consumer, one, counts, behind));
    };
    add("billing", {"billing.book_payment", "payment.captured", book_payment});
    add("mail", {"mail.send", "mail.requested",
                 [&going_on](const event& mail) { return send_mail(mail, going_on); }});
    add("warehouse", {"warehouse.reserve", "order.placed",
                      [&going_on](const event& order) { return reserve(order, going_on); }});
    add("analytics", {"analytics.count", "*", [](const event& /*any*/) { return delivered(); }});
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
