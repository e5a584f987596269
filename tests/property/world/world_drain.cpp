// The end of a run: every transaction ends, and all remaining messages are handled.
#include <fmt/format.h>

#include <algorithm>

#include "property/world/world.hpp"

namespace postrider::test {

void world::finish() {
    for (auto& each : producers_) {
        if (each.open) {
            end_with(each, &each - producers_.data() == 0 ? "rollback" : "commit");
        }
    }
    while (!prepared_.empty()) {
        finish_prepared(0, true);
    }
    compare();
    for (std::size_t i = 0; i < model_.workers.size(); ++i) {
        auto& the_worker = model_.workers[i];
        admin_.exec_params("update postrider.worker set alive_until = '-infinity' where id = $1",
                           pg::params(the_worker.id));
        the_worker.alive = false;
    }
    random_source random(0);
    reap(random);
    history_.follow(model_);
    compare();
    for (int i = 0; i < static_cast<int>(model_.consumers.size()); ++i) {
        drain(i);
    }
    compare();
    history_.require_complete(model_);
    for (const auto& row : model_.view()) {
        require(row.find(" delivered ") != std::string::npos ||
                    row.find(" failed ") != std::string::npos,
                "left over: " + row);
    }
}

// A worker that has every handler ever registered, and one for the other types.
void world::drain(int consumer) {
    auto& the_consumer = nth(model_.consumers, consumer);
    the_consumer.paused = false;
    admin_.exec_params("select postrider.pause_consumer($1, false, $2)",
                       pg::params(the_consumer.name, the_consumer.channel));
    auto handlers = the_consumer.handlers;
    handlers.push_back({the_consumer.name + ".rest", {"*"}});
    add_worker(random_source(static_cast<std::uint64_t>(consumer)).uuid(),
               {the_consumer.name, the_consumer.channel, {}}, handlers, false);
    compare();
    make_everything_due();
    const int worker = static_cast<int>(model_.workers.size()) - 1;
    int lease = -1;
    do {
        const auto before = model_.leases.size();
        exchange_for(stream::in_turn, worker, 50, lease, {});
        history_.follow(model_);
        lease = model_.leases.size() > before ? static_cast<int>(before) : -1;
    } while (lease >= 0 || !drained(consumer));
    compare();
    for (std::size_t done = runs_.size();;) {
        claim_due_up_to(worker, {.limit = 50});
        if (runs_.size() == done) {
            break;
        }
        std::vector<std::pair<run, failure>> outcomes;
        for (; done < runs_.size(); ++done) {
            outcomes.emplace_back(runs_[done], failure{.result = outcome::delivered});
        }
        settle_runs(worker, outcomes);
        history_.follow(model_);
    }
}

bool world::drained(int consumer) const {
    const auto& the_consumer = nth(model_.consumers, consumer);
    if (!the_consumer.waiting.empty()) {
        return false;
    }
    for (int m = 0; m < static_cast<int>(model_.messages.size()); ++m) {
        const auto& the_message = nth(model_.messages, m);
        if (the_message.committed() && the_message.in_log &&
            the_message.channel == the_consumer.channel &&
            the_message.target.value_or(the_consumer.name) == the_consumer.name &&
            !model_.passed(the_consumer, m)) {
            return false;
        }
    }
    return true;
}

}  // namespace postrider::test
