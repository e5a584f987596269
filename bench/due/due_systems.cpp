#include "bench/due/due_systems.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "bench/due/due.hpp"
#include "bench/engine/classic_queue.hpp"
#include "bench/lab/workload.hpp"
#include "bench/peers/peers.hpp"

namespace postrider::bench {
namespace {

constexpr int full = 100'000;

constexpr due_system systems[] = {
    {"postrider_worker",
     "insert into postrider.message (event_type, source, payload, priority, available_at)"
     " select 'order.placed', 'bench', p::json, case when $2 then 1 + n % 3 else 0 end,"
     " to_timestamp($3::float8) from unnest($1::text[]) with ordinality u (p, n)",
     {1000, 16},
     "",
     true},
    {"graphile_worker",
     "select count(*) from graphile_worker.add_jobs(array(select row('bench', p::json, null,"
     " to_timestamp($3::float8), null, null, case when $2 then 1 + n % 3 else 0 end,"
     " null)::graphile_worker.job_spec from unnest($1::text[]) with ordinality u (p, n)))",
     {500, 4},
     "",
     false},
    {"pg_boss",
     "insert into pgboss.job (name, data, priority, start_after)"
     " select 'bench', p::jsonb, case when $2 then 1 + n % 3 else 0 end,"
     " coalesce(to_timestamp($3::float8), now()) from unnest($1::text[]) with ordinality u (p, n)",
     {1000, 2},
     "",
     true},
    {"classic",
     "insert into classic.message (event_type, source, payload, priority, due_at)"
     " select 'order.placed', 'bench', p::json, case when $2 then 1 + n % 3 else 0 end,"
     " coalesce(to_timestamp($3::float8), now()) from unnest($1::text[]) with ordinality u (p, n)",
     {1000, 1},
     classic_by_priority,
     true},
};

// Messages per second of a consumer that starts after all messages were published.
double drained(const fresh_database& database, const peer& system, const due_system& how,
               const char* mode, int count) {
    database.settle_down();
    child consumer(system.consumer(mode, how.shape, count), consumer_environment(database));
    consumer.expect("ready");
    consumer.say("go");
    const auto took = std::stod(consumer.expect("done"));
    consumer.finish();
    return count / took;
}

}  // namespace

const due_system* due_system_of(const peer& system) {
    const auto* found = std::ranges::find(systems, system.name(), &due_system::name);
    return found == std::end(systems) ? nullptr : found;
}

void publish_due(const fresh_database& database, const due_system& by, int count, bool prioritised,
                 std::optional<double> due_at) {
    constexpr int batch = 1000;
    auto session = database.connect_consumer();
    for (int first = 0; first < count; first += batch) {
        const auto some = payloads(first, std::min(batch, count - first));
        session.exec_params(by.publish, pg::params(array_literal(some), prioritised, due_at));
    }
}

std::optional<double> priority_rate(const lab& where, const peer& system) {
    const auto* how = due_system_of(system);
    if (how == nullptr) {
        return {};
    }
    const fresh_database database(where);
    system.install(database);
    database.connect().exec(how->before_priority);
    const auto count = part_of(where, full);
    publish_due(database, *how, count, true);
    return drained(database, system, *how, "priority", count);
}

namespace {

std::optional<double> failing_rate(const lab& where, const peer& system, const char* mode) {
    const auto* how = due_system_of(system);
    if (how == nullptr || !how->retries_at_once) {
        return {};
    }
    const fresh_database database(where);
    system.install(database);
    const auto count = part_of(where, full);
    publish_due(database, *how, count, false);
    return drained(database, system, *how, mode, count);
}

}  // namespace

std::optional<double> retry_rate(const lab& where, const peer& system) {
    return failing_rate(where, system, "failing");
}

// The peers store every retry.
std::optional<double> retry_stored_rate(const lab& where, const peer& system) {
    const bool ours = std::string_view(system.name()) == "postrider_worker";
    return failing_rate(where, system, ours ? "failing_stored" : "failing");
}

std::optional<double> scheduled_rate(const lab& where, const peer& system) {
    const auto* how = due_system_of(system);
    if (how == nullptr) {
        return {};
    }
    const fresh_database database(where);
    system.install(database);
    const auto count = part_of(where, full);
    child consumer(system.consumer("due", how->shape, count), consumer_environment(database));
    consumer.expect("ready");
    consumer.say("go");
    // Long enough to publish the messages, and for the consumer to note them.
    const auto due_at = seconds_since_1970() + (where.tiny() ? 1 : where.quick() ? 2 : 12);
    publish_due(database, *how, count, false, due_at);
    database.settle_down();  // with the statistics of an empty table some systems would scan it
    if (seconds_since_1970() > due_at) {
        fmt::print(stderr, "  {}: published after the messages were due\n", system.name());
    }
    const auto ended = std::stod(consumer.expect("done"));
    consumer.finish();
    return count / (ended - due_at);
}

}  // namespace postrider::bench
