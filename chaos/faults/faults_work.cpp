// Load that is not a failure of the system: bad messages, bad handlers, actions of operators,
// deployments.
#include <thread>

#include "chaos/faults/faults.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

constexpr const char* end_listeners =
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'chaos_worker'"
    " and query ~* '(listen|doorbell_state|notification_queue)'"
    " and application_name <> 'postrider keeper'";

// The keeper stays: its NOTIFY reaches no listener, and the message waits until a worker listens
// again and looks.
fault::undo deaf(testbed& on, random_source&) {
    record_hit(on, "pg_terminate_backend", "listeners");
    on.try_sql(end_listeners);
    on.publish({message_of("plain.unheard")});
    return nothing();
}

fault::undo lose_notifications(testbed& on, random_source&) {
    record_hit(on, "pg_terminate_backend", "listeners");
    for (int i = 0; i < 5; ++i) {
        on.try_sql(end_listeners);
        on.publish({message_of("plain.unheard")});
        std::this_thread::sleep_for(100ms);
    }
    return [](testbed& later) { later.try_sql(end_listeners); };
}

fault::undo poison(testbed& on, random_source&) {
    on.publish({message_of("plain.note"), message_of("poison.pill"), message_of("plain.note")});
    return nothing();
}

fault::undo hang(testbed& on, random_source& random) {
    const auto until = now() + static_cast<instant>(random.between(4000, 6000)) * 1000;
    on.publish({message_of("hang.around", "\"until\": " + std::to_string(until)),
                message_of("hang.around", "\"until\": " + std::to_string(until - 3'000'000))});
    return nothing();
}

fault::undo deploy(testbed& on, random_source&) {
    try {
        on.deploy();
    } catch (const std::exception&) {
        // The server is down: nothing was deployed.
    }
    return nothing();
}

fault::undo replay(testbed& on, random_source& random) {
    const auto count = std::to_string(random.between(1, 10));
    on.try_sql(
        "select postrider.outbox_replay(m.message_id, null, 'chaos') from (select distinct"
        " message_id from postrider.delivery where status = 'failed' and deleted_at is null"
        " and event_type not like 'poison.%' limit " +
        count + ") m");
    on.try_sql(
        "select postrider.replay_start('{\"handler\": \"office.flaky\"}', 'chaos', 'chaos',"
        " 1, 20) where exists (select from postrider.delivery where status = 'failed' and"
        " handler = 'office.flaky' and deleted_at is null)");
    return [](testbed& later) { later.try_sql("select postrider.replay_step()"); };
}

fault::undo redeliver(testbed& on, random_source& random) {
    on.try_sql(
        "select postrider.redeliver(id, 'office', 'office.plain', false, 'chaos', 'chaos') from"
        " (select id from postrider.outbox where status = 'delivered' and handler ="
        " 'office.plain' and deleted_at is null limit " +
        std::to_string(random.between(1, 5)) + ") d");
    return nothing();
}

fault::undo retention(testbed& on, random_source&) {
    on.try_sql("select postrider.retention_run(10000)");
    return [](testbed& later) { later.try_sql("select postrider.maintain()"); };
}

}  // namespace

std::vector<fault> work_faults() {
    return {
        {"deaf", "listening connections end, and a message is published before they reconnect", 0ms,
         0ms, deaf},
        {"lost_notifications", "no NOTIFY arrives", 2000ms, 3000ms, lose_notifications},
        {"poison", "a message that kills the worker that runs it", 0ms, 0ms, poison},
        {"hang", "a handler exceeds its timeout", 0ms, 0ms, hang},
        {"deploy", "another generation takes over", 0ms, 0ms, deploy},
        {"replay", "operators replay dead letters", 1000ms, 3000ms, replay},
        {"redeliver", "operators redeliver messages", 0ms, 0ms, redeliver},
        {"retention", "retention removes ended deliveries", 500ms, 1500ms, retention},
    };
}

}  // namespace postrider::chaos
