// Workers: registration and choice.
#include <fmt/format.h>

#include <algorithm>
#include <postrider/error.hpp>

#include "property/world/world.hpp"

namespace postrider::test {
namespace {

constexpr int workers_max = 3;  // of one consumer

}  // namespace

void world::register_worker(random_source& random) {
    auto& plan = random.pick(plans_);
    const int consumer = model_.find_consumer(plan.name, plan.channel);
    const auto busy = std::ranges::count_if(model_.workers, [&](const worker& each) {
        return each.consumer == consumer && each.registered && each.alive;
    });
    if (busy >= workers_max) {
        return;
    }
    if (random.percent(10)) {
        // The next release wants other types.
        static const std::vector<std::vector<std::string>> others = {
            {"order.*"}, {"order.paid", "note"}, {"user.created"}, {"user.*", "order_paid"}, {"*"}};
        random.pick(plan.handlers).patterns = random.pick(others);
    }
    std::vector<handler> chosen;
    for (const auto& each : plan.handlers) {
        auto* known = consumer < 0 ? nullptr : nth(model_.consumers, consumer).find(each.name);
        const bool retired = known != nullptr && !known->active;
        if (random.percent(retired ? 15 : known != nullptr ? 80 : 40)) {
            chosen.push_back(each);
        }
    }
    if (!chosen.empty()) {
        add_worker(random.uuid(), plan, chosen, random.percent(40));
    }
}

void world::add_worker(const std::string& id, const consumer_plan& plan,
                       const std::vector<handler>& handlers, bool from_beginning) {
    worker the_worker{.id = id};
    std::string json;
    std::string names;
    for (const auto& each : handlers) {
        std::string patterns;
        for (const auto& pattern : each.patterns) {
            patterns += fmt::format("{}\"{}\"", patterns.empty() ? "" : ", ", pattern);
        }
        json += fmt::format(
            R"({}{{"name": "{}", "event_types": [{}], "max_attempts": {}, "max_crashes": {},
                "retry": {{"curve": "fixed", "base_ms": 300000}}}})",
            json.empty() ? "" : ", ", each.name, patterns, each.max_attempts, each.max_crashes);
        the_worker.handlers.insert(each.name);
        names += fmt::format(" {} [{}]", each.name, patterns);
    }
    note(fmt::format("register worker {} of {} on {}{} with{}", model_.workers.size(), plan.name,
                     plan.channel, from_beginning ? " from the beginning" : "", names));
    hands_.exec_params(
        "select postrider.register_worker($1, $2, $3, $4, p_alive_for => '1 day', "
        "p_from_beginning => $5)",
        pg::params(id, plan.name, "[" + json + "]", plan.channel, from_beginning));
    the_worker.consumer = model_.create_consumer(plan.name, plan.channel, from_beginning);
    for (const auto& each : handlers) {
        model_.register_handler(the_worker.consumer, each);
    }
    model_.workers.push_back(the_worker);
}

/// One that lives as a rule.
int world::draw_worker(random_source& random) const {
    std::vector<int> living;
    for (int i = 0; i < static_cast<int>(model_.workers.size()); ++i) {
        if (!model_.lost(i)) {
            living.push_back(i);
        }
    }
    if (!living.empty() && random.percent(85)) {
        return random.pick(living);
    }
    return model_.workers.empty() ? -1 : random.below(static_cast<int>(model_.workers.size()));
}

/// An open one as a rule.
int world::draw_lease(random_source& random) const {
    std::vector<int> open;
    for (std::size_t i = 0; i < model_.leases.size(); ++i) {
        if (!model_.leases[i].finished) {
            open.push_back(static_cast<int>(i));
        }
    }
    if (!open.empty() && random.percent(85)) {
        return random.pick(open);
    }
    return model_.leases.empty() ? -1 : random.below(static_cast<int>(model_.leases.size()));
}

/// A worker that is not registered (any more) may do nothing.
bool world::refused(pg::connection& session, int worker, const char* sql,
                    const pg::params& values) {
    if (nth(model_.workers, worker).registered) {
        return false;
    }
    try {
        session.exec_params(sql, values);
    } catch (const error& problem) {
        require(problem.code() == errc::worker_not_registered,
                std::string("a forgotten worker was told: ") + problem.what());
        return true;
    }
    throw disagreement("a forgotten worker may still work");
}

}  // namespace postrider::test
