// Events of workers and consumers, and operators' actions.
#include <fmt/format.h>

#include <algorithm>

#include "property/world/world.hpp"

namespace postrider::test {

void world::crash(random_source& random) {
    const int worker = draw_worker(random);
    if (worker < 0 || model_.lost(worker)) {
        return;
    }
    auto& the_worker = nth(model_.workers, worker);
    note(fmt::format("worker {} crashes", worker));
    admin_.exec_params(
        "update postrider.worker set alive_until = now() - interval '1 second' "
        "where id = $1",
        pg::params(the_worker.id));
    the_worker.alive = false;
    if (random.percent(60)) {
        reap(random);
    }
}

void world::pass_deadlines(random_source& random) {
    const int lease = draw_lease(random);
    if (lease >= 0 && !nth(model_.leases, lease).removed) {
        auto& held = nth(model_.leases, lease);
        note(fmt::format("the deadline of lease {} passes", lease));
        admin_.exec_params(
            "update postrider.lease set deadline = now() - interval '1 second' "
            "where token = $1",
            pg::params(held.token));
        held.overdue = true;
    }
    if (random.percent(50) && !runs_.empty()) {
        const auto& late = random.pick(runs_);
        note(fmt::format("the deadline of delivery {} passes", late.delivery));
        admin_.exec_params(
            "update postrider.delivery set deadline = now() - interval "
            "'1 second' where id = $1 and lease_token = $2",
            pg::params(late.delivery, late.token));
        auto& item = model_.ledger.at(late.key);
        item.overdue = item.state == progress::in_flight && item.token == late.token;
    }
}

void world::reap(random_source&) {
    note("reap");
    const auto row = hands_.exec("select leases, deliveries from postrider.reap(1000)");
    const auto expected = model_.reap();
    require(row.get<int>(0, 0) == expected.leases && row.get<int>(0, 1) == expected.deliveries,
            fmt::format("reap took back {} leases and {} deliveries, expected {} and {}",
                        row.text(0, 0), row.text(0, 1), expected.leases, expected.deliveries));
}

void world::heartbeat(random_source& random) {
    const int worker = draw_worker(random);
    if (worker < 0) {
        return;
    }
    auto& the_worker = nth(model_.workers, worker);
    std::set<std::int64_t> believed;
    std::set<std::int64_t> lost;
    std::string text;
    for (const auto& each : model_.leases) {
        if (each.consumer == the_worker.consumer && random.percent(30)) {
            text += fmt::format("{}{}", believed.empty() ? "" : ",", each.id);
            believed.insert(each.id);
            if (each.finished || each.worker != worker) {
                lost.insert(each.id);
            }
        }
    }
    note(fmt::format("heartbeat of worker {} with leases {}", worker, text));
    const char* sql = "select * from postrider.heartbeat($1, $2)";
    const pg::params values(the_worker.id, "{" + text + "}");
    if (refused(hands_, worker, sql, values)) {
        return;
    }
    const auto rows = hands_.exec_params(sql, values);
    std::set<std::int64_t> told;
    for (int i = 0; i < rows.rows(); ++i) {
        told.insert(rows.get<std::int64_t>(i, 0));
    }
    require(told == lost, "heartbeat did not name the lost leases");
    the_worker.alive = true;
}

void world::extend(random_source& random) {
    const int lease = draw_lease(random);
    if (lease < 0) {
        return;
    }
    auto& held = nth(model_.leases, lease);
    note(fmt::format("extend lease {}", lease));
    const char* sql = "select postrider.extend($1, $2, $3, '1 hour')";
    const pg::params values(nth(model_.workers, held.worker).id, held.id, held.token);
    if (refused(hands_, held.worker, sql, values)) {
        return;
    }
    const auto answer = hands_.exec_params(sql, values).get<std::string>(0, 0);
    require(answer == (held.finished ? "lost_lease" : "extended"), "extend said " + answer);
    held.overdue = held.overdue && held.finished;
}

void world::pause(random_source& random) {
    if (model_.consumers.empty()) {
        return;
    }
    auto& the_consumer = random.pick(model_.consumers);
    // No consumer stays paused for long.
    the_consumer.paused = !the_consumer.paused && random.percent(60);
    note(fmt::format("{} {} on {}", the_consumer.paused ? "pause" : "resume", the_consumer.name,
                     the_consumer.channel));
    admin_.exec_params("select postrider.pause_consumer($1, $2, $3)",
                       pg::params(the_consumer.name, the_consumer.paused, the_consumer.channel));
}

void world::retire(random_source& random) {
    if (model_.consumers.empty()) {
        return;
    }
    const int consumer = random.below(static_cast<int>(model_.consumers.size()));
    auto& the_consumer = nth(model_.consumers, consumer);
    const auto& chosen = random.pick(the_consumer.handlers);
    if (!chosen.active) {
        return;
    }
    note(
        fmt::format("retire {} of {} on {}", chosen.name, the_consumer.name, the_consumer.channel));
    admin_.exec_params("select postrider.retire_handler($1, $2, $3)",
                       pg::params(the_consumer.name, chosen.name, the_consumer.channel));
    model_.retire_handler(consumer, chosen.name);
}

void world::unregister(random_source& random) {
    const int worker = draw_worker(random);
    if (worker < 0) {
        return;
    }
    note(fmt::format("worker {} unregisters", worker));
    hands_.exec_params("select postrider.unregister_worker($1)",
                       pg::params(nth(model_.workers, worker).id));
    nth(model_.workers, worker).registered = false;
}

void world::make_due(random_source& random) {
    if (random.percent(40) || model_.messages.empty()) {
        make_everything_due();
        return;
    }
    const int m = random.below(static_cast<int>(model_.messages.size()));
    const auto& the_message = nth(model_.messages, m);
    note(fmt::format("the time of {} comes", the_message.id.substr(0, 8)));
    admin_.exec_params("update postrider.delivery set available_at = now() where message_id = $1",
                       pg::params(the_message.id));
    bring_forward(m);
    for (auto& [key, item] : model_.ledger) {
        item.due = item.due || key.message == m;
    }
}

void world::make_everything_due() {
    note("the time of everything comes");
    admin_.exec("update postrider.delivery set available_at = now() where status = 'pending'");
    bring_forward({});
    for (auto& [key, item] : model_.ledger) {
        item.due = item.due || item.state == progress::pending;
    }
}

}  // namespace postrider::test
