// The end of a run: every transaction ends, everything owed is worked off.
#include <fmt/format.h>

#include <algorithm>

#include "property/world.hpp"

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
        auto& who = model_.workers[i];
        admin_.exec_params("update postrider.worker set alive_until = '-infinity' where id = $1",
                           pg::params(who.id));
        who.alive = false;
    }
    dice random(0);
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
    auto& who = nth(model_.consumers, consumer);
    who.paused = false;
    admin_.exec_params("select postrider.pause_consumer($1, false, $2)",
                       pg::params(who.name, who.channel));
    auto handlers = who.handlers;
    handlers.push_back({who.name + ".rest", {"*"}});
    add_worker(dice(static_cast<std::uint64_t>(consumer)).uuid(), {who.name, who.channel, {}},
               handlers, false);
    compare();
    const int worker = static_cast<int>(model_.workers.size()) - 1;
    int lease = -1;
    do {
        const auto before = model_.leases.size();
        exchange_for(worker, 50, lease, {});
        history_.follow(model_);
        lease = model_.leases.size() > before ? static_cast<int>(before) : -1;
    } while (lease >= 0 || !drained(consumer));
    compare();
    make_everything_due();
    for (std::size_t done = runs_.size();;) {
        claim_due_up_to(worker, 50, true);
        if (runs_.size() == done) {
            break;
        }
        std::vector<std::pair<run, failure>> outcomes;
        for (; done < runs_.size(); ++done) {
            outcomes.emplace_back(runs_[done], failure{.what = outcome::delivered});
        }
        settle_runs(worker, outcomes);
        history_.follow(model_);
    }
}

bool world::drained(int consumer) const {
    const auto& who = nth(model_.consumers, consumer);
    for (int m = 0; m < static_cast<int>(model_.messages.size()); ++m) {
        const auto& what = nth(model_.messages, m);
        if (what.committed_at != std::numeric_limits<int>::max() && what.in_log &&
            what.channel == who.channel && what.target.value_or(who.name) == who.name &&
            !model_.passed(who, m)) {
            return false;
        }
    }
    return true;
}

}  // namespace postrider::test
