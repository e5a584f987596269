// Housekeeping: partitions come and go, finished leases and dead workers are forgotten.
#include <fmt/format.h>

#include <algorithm>
#include <postrider/error.hpp>

#include "property/world/world.hpp"

namespace postrider::test {

/// A producer that has written keeps the log locked until the end of its transaction.
bool world::someone_writes() const {
    return !prepared_.empty() || std::ranges::any_of(producers_, &producer::open);
}

/// Usually a moment without writers: waiting for locks in vain takes long.
bool world::calm(random_source& random) {
    if (random.percent(50)) {
        for (auto& each : producers_) {
            if (each.open) {
                end_with(each, random.percent(80) ? "commit" : "rollback");
            }
        }
        while (!prepared_.empty()) {
            finish_prepared(0, random.percent(80));
        }
    }
    return !someone_writes() || random.percent(10);
}

void world::maintain(random_source& random) {
    if (!calm(random)) {
        return;
    }
    note("maintain");
    hands_.exec("select postrider.maintain()");
    std::set<std::string> tokens;
    const auto leases = admin_.exec("select token from postrider.lease");
    for (int i = 0; i < leases.rows(); ++i) {
        tokens.insert(leases.get<std::string>(i, 0));
    }
    for (auto& each : model_.leases) {
        each.removed = !tokens.contains(each.token);
        require(!each.removed || each.finished, "maintain removed a lease in use");
    }
    std::set<std::string> ids;
    const auto workers = admin_.exec("select id from postrider.worker");
    for (int i = 0; i < workers.rows(); ++i) {
        ids.insert(workers.get<std::string>(i, 0));
    }
    for (auto& each : model_.workers) {
        if (each.registered && !ids.contains(each.id)) {
            require(!each.alive, "maintain forgot a worker that is alive");
            each.registered = false;
        }
    }
}

void world::ensure_partitions(random_source& random) {
    if (!calm(random)) {
        return;
    }
    note("ensure partitions");
    try {
        admin_.exec("select postrider.ensure_partitions()");
    } catch (const error& problem) {
        require(problem.sqlstate() == "55P03" && someone_writes(), problem.what());
    }
}

void world::drop_partitions(random_source& random) {
    if (!calm(random)) {
        return;
    }
    note("drop partitions");
    std::map<std::string, int> numbers;
    for (std::size_t i = 0; i < model_.messages.size(); ++i) {
        numbers[model_.messages[i].id] = static_cast<int>(i);
    }
    std::map<std::string, std::vector<int>> contents;
    const auto rows = admin_.exec(
        "select c.relname, m.id from postrider.message m "
        "join pg_class c on c.oid = m.tableoid");
    for (int i = 0; i < rows.rows(); ++i) {
        contents[rows.get<std::string>(i, 0)].push_back(numbers.at(rows.get<std::string>(i, 1)));
    }
    pg::result dropped;
    try {
        dropped =
            admin_.exec("select partition, dropped from postrider.drop_partitions('infinity')");
    } catch (const error& problem) {
        require(problem.sqlstate() == "55P03" && someone_writes(), problem.what());
        return;
    }
    for (int i = 0; i < dropped.rows(); ++i) {
        const auto& inside = contents[dropped.get<std::string>(i, 0)];
        const bool owed_to_someone =
            std::ranges::any_of(inside, [&](int m) { return still_owed(m); });
        if (!owed_to_someone) {
            model_.carry_waiting(inside);
        }
        require(dropped.get<bool>(i, 1) != owed_to_someone,
                fmt::format("partition {} with {} messages: dropped is {}", dropped.text(i, 0),
                            inside.size(), dropped.text(i, 1)));
        note(fmt::format("  {} with {} messages: {}", dropped.text(i, 0), inside.size(),
                         owed_to_someone ? "kept" : "dropped"));
        for (const int m : inside) {
            nth(model_.messages, m).in_log = owed_to_someone;
        }
    }
}

/// From the log itself, other than as one that waits; a delivery has a copy.
bool world::still_owed(int message) const {
    const auto& the_message = nth(model_.messages, message);
    return std::ranges::any_of(model_.consumers,
                               [&](const consumer& each) {
                                   return each.channel == the_message.channel &&
                                          !model_.passed(each, message);
                               }) ||
           std::ranges::any_of(model_.leases, [&](const lease& each) {
               return !each.finished &&
                      std::ranges::find(each.members, message) != each.members.end();
           });
}

}  // namespace postrider::test
