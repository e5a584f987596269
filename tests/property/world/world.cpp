#include "property/world/world.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::test {
namespace {

constexpr int producers = 5;
constexpr int bystanders = 2;

}  // namespace

world::world(const test_database& database, std::uint64_t seed)
    : admin_(database.connect()),
      hands_(database.connect()),
      programs_(database.connect()),
      database_(database.name()) {
    random_source random(seed);
    plans_ = {
        {"billing",
         "outbox_default",
         {{"billing.orders", {"order.*"}},
          {"billing.paid", {"order.paid", "note"}},
          {"billing.users", {"user.created"}}}},
        {"audit", "outbox_default", {{"audit.all", {"*"}}, {"audit.users", {"user.*", "note"}}}},
        {"mail",
         "outbox_default",
         {{"mail.welcome", {"user.created"}}, {"mail.receipt", {"order.paid", "order_paid"}}}},
        // The same name on another channel is another consumer.
        {"audit", "other", {{"audit.orders", {"order.*"}}, {"audit.all", {"*"}}}},
    };
    for (auto& plan : plans_) {
        for (auto& each : plan.handlers) {
            each.max_attempts = random.between(1, 3);
            each.max_crashes = random.between(1, 3);
        }
    }
    reset_partitions(random.percent(40) ? 0 : 4);
    admin_.exec(fmt::format("update postrider.setting set value = '{}' where name = 'lease_keep'",
                            random.percent(50) ? "0 seconds" : "1 day"));
    // A claim on a busy machine must not end early.
    admin_.exec(
        "create or replace function postrider.scan_time() returns interval language sql immutable "
        "as $$ select interval '1 hour' $$");
    // The result of the view must not depend on its plan.
    static const std::vector<std::string> methods = {"nestloop", "hashjoin", "seqscan", "memoize"};
    admin_.exec("set jit = off; set enable_" + random.pick(methods) + " = off");
    hands_.exec("set role postrider_worker");
    programs_.exec("set role postrider_worker");
    for (int i = 0; i < producers; ++i) {
        producers_.push_back({.session = database.connect()});
        producers_.back().session.exec("set role postrider_producer");
    }
    for (int i = 0; i < bystanders; ++i) {
        bystanders_.push_back({.session = database.connect()});
    }
}

// A prepared transaction would keep the database from being dropped.
world::~world() {
    try {
        for (const auto& each : prepared_) {
            admin_.exec("rollback prepared '" + each.name + "'");
        }
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "a prepared transaction is left behind: %s\n", problem.what());
    }
}

// A few short partitions or a single one, and a new one may begin every second.
void world::reset_partitions(int count) {
    admin_.exec(fmt::format("set test.partitions = {}", count));
    admin_.exec(R"(
        set role postrider_owner;
        do $$
        declare
            v_name text;
            v_from text := 'minvalue';
            v_to text;
        begin
            alter table postrider.message detach partition postrider.message_tail;
            for v_name in select name from postrider.partitions() loop
                execute format('drop table postrider.%I', v_name);
            end loop;
            for i in 1..current_setting('test.partitions')::int loop
                v_to := quote_literal(clock_timestamp() + i * interval '400 milliseconds');
                execute format('create table postrider.message_first_%s partition of '
                               'postrider.message for values from (%s) to (%s)', i, v_from, v_to);
                v_from := v_to;
            end loop;
            execute format('alter table postrider.message attach partition postrider.message_tail '
                           'for values from (%s) to (maxvalue)', v_from);
        end
        $$;
        reset role;
        update postrider.setting set value = '1 second' where name = 'partition_interval';
        update postrider.setting set value = '1' where name = 'partitions_ahead')");
}

void world::step(std::uint64_t seed) {
    using action = void (world::*)(random_source&);
    static constexpr std::pair<int, action> actions[] = {
        {11, &world::begin},
        {22, &world::publish},
        {9, &world::end},
        {3, &world::prepare},
        {4, &world::end_prepared},
        {5, &world::savepoint},
        {4, &world::burn},
        {12, &world::register_worker},
        {10, &world::claim},
        {32, &world::exchange},
        {20, &world::claim_waiting},
        {16, &world::settle},
        {5, &world::settle_forged},
        {4, &world::release},
        {20, &world::claim_due},
        {20, &world::settle_due},
        {3, &world::abandon},
        {3, &world::crash},
        {3, &world::pass_deadlines},
        {4, &world::reap},
        {3, &world::heartbeat},
        {2, &world::extend},
        {2, &world::pause},
        {2, &world::retire},
        {1, &world::unregister},
        {9, &world::make_due},
        {2, &world::maintain},
        {3, &world::ensure_partitions},
        {4, &world::drop_partitions},
    };
    int total = 0;
    for (const auto& [weight, each] : actions) {
        total += weight;
    }
    random_source random(seed);
    int chosen = random.below(total);
    for (const auto& [weight, each] : actions) {
        chosen -= weight;
        if (chosen < 0) {
            (this->*each)(random);
            break;
        }
    }
    history_.follow(model_);
    compare();
    compare_waiting();
}

void world::compare_waiting() {
    const auto rows = admin_.exec(R"(
        select format('%s for %s on %s', m.id, c.name, c.channel)
        from postrider.waiting w
        left join postrider.consumer c on c.id = w.consumer_id
        left join postrider.message m on m.channel = c.channel and m.xid = w.xid and m.seq = w.seq
            and m.priority = w.priority and coalesce(m.available_at, m.published_at) = w.due_at)");
    std::multiset<std::string> shown;
    for (int i = 0; i < rows.rows(); ++i) {
        shown.emplace(rows.text(i, 0));
    }
    std::multiset<std::string> expected;
    for (const auto& by : model_.consumers) {
        for (const int m : by.waiting) {
            expected.insert(
                fmt::format("{} for {} on {}", nth(model_.messages, m).id, by.name, by.channel));
        }
    }
    require(shown == expected, fmt::format("{} messages wait instead of {}, or others",
                                           shown.size(), expected.size()));
}

void world::compare() {
    const auto rows = admin_.exec(R"(
        select format('%s %s %s %s %s/%s/%s/%s', id, consumer, coalesce(handler, '-'), status,
                      attempts, failures, crashes, interruptions)
        from postrider.outbox)");
    std::vector<std::string> shown;
    for (int i = 0; i < rows.rows(); ++i) {
        shown.emplace_back(rows.text(i, 0));
    }
    std::ranges::sort(shown);
    const auto expected = model_.view();
    if (shown == expected) {
        return;
    }
    std::vector<std::string> missing;
    std::vector<std::string> surplus;
    std::ranges::set_difference(expected, shown, std::back_inserter(missing));
    std::ranges::set_difference(shown, expected, std::back_inserter(surplus));
    std::string text = "the view outbox disagrees (attempts/failures/crashes/interruptions)";
    for (std::size_t i = 0; i < std::min<std::size_t>(missing.size(), 10); ++i) {
        text += "\n  missing: " + missing[i];
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(surplus.size(), 10); ++i) {
        text += "\n  surplus: " + surplus[i];
    }
    throw disagreement(text);
}

void world::note(std::string line) { log_.push_back(std::move(line)); }

}  // namespace postrider::test
