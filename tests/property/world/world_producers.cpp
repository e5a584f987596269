// Producers: transactions of every shape, and bystanders that only use up transaction ids.
#include <fmt/format.h>

#include <algorithm>

#include "property/world/world.hpp"

namespace postrider::test {
namespace {

constexpr int messages_max = 220;

std::string available_sql(const message& the_message) {
    switch (the_message.available) {
        case availability::past:
            return fmt::format("now() - interval '{} seconds'", the_message.age);
        case availability::future:
            return "now() + interval '1 hour'";
        case availability::unset:
            break;
    }
    return "null";
}

std::string describe_published(const message& the_message) {
    return fmt::format(
        "{} {}{}{}{}", the_message.id.substr(0, 8), the_message.type,
        the_message.target ? " to " + *the_message.target : "",
        the_message.available == availability::future ? " later"
        : the_message.available == availability::past
            ? fmt::format(" due for {} s", the_message.age)
            : "",
        the_message.priority != 0 ? fmt::format(" priority {}", the_message.priority) : "");
}

std::string optional_text(const std::optional<std::string>& text) {
    return text ? "'" + *text + "'" : "null";
}

}  // namespace

void world::begin(random_source& random) {
    auto& by = random.pick(producers_);
    if (by.open) {
        return;
    }
    note(fmt::format("begin in producer {}", &by - producers_.data()));
    by.session.exec("begin");
    by.open = true;
}

int world::draw_message(producer& by, random_source& random, const std::string& channel) {
    static const std::vector<std::string> types = {"order.created", "order.paid",   "order_paid",
                                                   "user.created",  "user.deleted", "note"};
    static const std::vector<std::string> targets = {"billing", "audit", "mail", "absent"};
    message the_message{.id = random.uuid(), .channel = channel, .type = random.pick(types)};
    if (random.percent(25)) {
        the_message.target = random.pick(targets);
    }
    if (random.percent(20)) {
        the_message.available = random.percent(50) ? availability::past : availability::future;
        the_message.age = random.percent(50) ? random.between(0, 9) : random.between(100, 9000);
    }
    if (random.percent(15)) {
        the_message.priority = random.between(-2, 2);
    }
    if (random.percent(15)) {
        the_message.max_attempts = random.between(1, 3);
    }
    the_message.xid = by.xid;
    model_.messages.push_back(the_message);
    by.published.push_back(static_cast<int>(model_.messages.size()) - 1);
    note("  " + describe_published(the_message));
    return by.published.back();
}

void world::publish(random_source& random) {
    auto* writer = random.percent(60) ? draw_writer(random) : nullptr;
    auto& by = writer != nullptr ? *writer : random.pick(producers_);
    if (model_.messages.size() > messages_max) {
        return;
    }
    const bool alone = !by.open;
    const std::string channel = random.percent(80) ? "outbox_default" : "other";
    note(fmt::format("publish in producer {}{} on {}", &by - producers_.data(),
                     alone ? " and commit" : "", channel));
    if (alone) {
        by.session.exec("begin");
        by.open = true;
    }
    by.xid =
        std::stoull(by.session.exec("select pg_current_xact_id()::text").get<std::string>(0, 0));
    const int count = random.between(1, 5);
    if (random.percent(25)) {
        std::vector<int> which;
        for (int i = 0; i < count; ++i) {
            which.push_back(draw_message(by, random, channel));
        }
        insert_many(by, which);
    } else {
        for (int i = 0; i < count; ++i) {
            const int which = draw_message(by, random, channel);
            insert_one(by, nth(model_.messages, which), random);
        }
    }
    if (alone) {
        end_with(by, "commit");
    }
}

void world::insert_one(producer& by, const message& the_message, random_source& random) {
    const auto values = fmt::format(
        "'{}', '{}', '{}', {}, {}, {}, {}", the_message.id, the_message.channel, the_message.type,
        optional_text(the_message.target), available_sql(the_message), the_message.priority,
        the_message.max_attempts ? std::to_string(*the_message.max_attempts) : "null");
    switch (random.below(3)) {
        case 0:
            by.session.exec(fmt::format(
                "insert into postrider.outbox (id, channel, event_type, target, available_at, "
                "priority, max_attempts) values ({})",
                values));
            break;
        case 1:
            by.session.exec(fmt::format(
                "insert into postrider.message (id, channel, event_type, target, available_at, "
                "priority, max_attempts) values ({})",
                values));
            break;
        default:
            by.session.exec(fmt::format(
                "select postrider.publish('{}', p_id => '{}', p_channel => '{}', p_target => {}, "
                "p_available_at => {}, p_priority => {}, p_max_attempts => {})",
                the_message.type, the_message.id, the_message.channel,
                optional_text(the_message.target), available_sql(the_message), the_message.priority,
                the_message.max_attempts ? std::to_string(*the_message.max_attempts) : "null"));
    }
}

void world::insert_many(producer& by, const std::vector<int>& which) {
    std::string items;
    for (const int each : which) {
        const auto& the_message = nth(model_.messages, each);
        items += fmt::format(
            "{}jsonb_build_object('id', '{}', 'channel', '{}', 'event_type', '{}', 'target', {}, "
            "'available_at', {}, 'priority', {}, 'max_attempts', {})",
            items.empty() ? "" : ", ", the_message.id, the_message.channel, the_message.type,
            the_message.target ? optional_text(the_message.target) : "null::text",
            available_sql(the_message), the_message.priority,
            the_message.max_attempts ? std::to_string(*the_message.max_attempts) : "null");
    }
    by.session.exec("select postrider.publish_many(jsonb_build_array(" + items + "))");
}

/// Null when no producer is in a transaction.
world::producer* world::draw_writer(random_source& random) {
    std::vector<producer*> open;
    for (auto& each : producers_) {
        if (each.open) {
            open.push_back(&each);
        }
    }
    return open.empty() ? nullptr : random.pick(open);
}

void world::end(random_source& random) {
    if (auto* by = draw_writer(random)) {
        end_with(*by, random.percent(80) ? "commit" : "rollback");
    }
}

void world::end_with(producer& by, const char* how) {
    note(fmt::format("{} in producer {}", how, &by - producers_.data()));
    by.session.exec(how);
    if (how[0] == 'c') {
        model_.commit(by.published);
    }
    by.open = false;
    by.published.clear();
    by.savepoints.clear();
}

void world::prepare(random_source& random) {
    auto* writer = draw_writer(random);
    if (writer == nullptr || prepared_.size() >= 4) {
        return;
    }
    auto& by = *writer;
    // Names are shared by all databases of a server.
    const auto name = fmt::format("{}_{}", database_, names_++);
    note(fmt::format("prepare in producer {} as {}", &by - producers_.data(), name));
    by.session.exec("prepare transaction '" + name + "'");
    prepared_.push_back({name, by.published});
    by.open = false;
    by.published.clear();
    by.savepoints.clear();
}

void world::end_prepared(random_source& random) {
    if (!prepared_.empty()) {
        finish_prepared(static_cast<std::size_t>(random.below(static_cast<int>(prepared_.size()))),
                        random.percent(75));
    }
}

void world::finish_prepared(std::size_t which, bool commit) {
    const auto chosen = prepared_[which];
    note(fmt::format("{} prepared {}", commit ? "commit" : "rollback", chosen.name));
    admin_.exec(fmt::format("{} prepared '{}'", commit ? "commit" : "rollback", chosen.name));
    prepared_.erase(prepared_.begin() + static_cast<std::ptrdiff_t>(which));
    if (commit) {
        model_.commit(chosen.published);
    }
}

void world::savepoint(random_source& random) {
    auto* writer = draw_writer(random);
    if (writer == nullptr) {
        return;
    }
    auto& by = *writer;
    const auto depth = by.savepoints.size();
    const auto number = &by - producers_.data();
    if (depth == 0 || random.percent(40)) {
        note(fmt::format("savepoint {} in producer {}", depth, number));
        by.session.exec(fmt::format("savepoint s{}", depth));
        by.savepoints.push_back(by.published.size());
    } else if (random.percent(60)) {
        const auto to = static_cast<std::size_t>(random.below(static_cast<int>(depth)));
        note(fmt::format("rollback to savepoint {} in producer {}", to, number));
        by.session.exec(fmt::format("rollback to savepoint s{}", to));
        by.published.resize(by.savepoints[to]);
        by.savepoints.resize(to + 1);
    } else {
        note(fmt::format("release savepoint {} in producer {}", depth - 1, number));
        by.session.exec(fmt::format("release savepoint s{}", depth - 1));
        by.savepoints.pop_back();
    }
}

void world::burn(random_source& random) {
    auto& one = random.pick(bystanders_);
    note(fmt::format("bystander {} {}", &one - bystanders_.data(), one.open ? "ends" : "begins"));
    one.session.exec(one.open ? (random.percent(50) ? "commit" : "rollback")
                              : "begin; select pg_current_xact_id()");
    one.open = !one.open;
}

}  // namespace postrider::test
