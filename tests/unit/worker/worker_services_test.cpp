// When the services of a worker run next: after a run, after an error, while the worker stops. No
// database: a call without a session throws std::bad_optional_access.
#include <gtest/gtest.h>

#include <postrider/sink.hpp>

#include "unit/worker/instants.hpp"
#include "worker/doorbell/listening.hpp"
#include "worker/due/due_deliveries.hpp"
#include "worker/leases/handler_timeouts.hpp"
#include "worker/leases/heartbeat.hpp"
#include "worker/leases/release.hpp"
#include "worker/services/alert_service.hpp"
#include "worker/services/maintenance.hpp"
#include "worker/services/replays.hpp"
#include "worker/services/schedules.hpp"

namespace postrider::working {
namespace {

using namespace std::chrono_literals;
using no_session = std::bad_optional_access;

class recording_sink : public sink {
  public:
    void state_changed(const state_record& record) override {
        states.emplace_back(record.state);
        levels.push_back(record.level);
    }
    std::vector<std::string> states;
    std::vector<level> levels;
};

class worker_services_test : public ::testing::Test {
  protected:
    static std::shared_ptr<thread_pool> pool_with(const std::shared_ptr<sink>& reports) {
        auto pool = std::make_shared<thread_pool>(1);
        pool->environment().reports = reports;
        return pool;
    }

    std::shared_ptr<recording_sink> states = std::make_shared<recording_sink>();
    worker_context context{{.consumer = "office", .heartbeat_timeout = 30s}, pool_with(states)};
};

TEST_F(worker_services_test, the_channel_is_the_default_or_that_of_the_generation) {
    EXPECT_EQ(context.channel, "outbox_default");
    const worker_context seventh({.consumer = "office", .generation = 7}, pool_with(states));
    EXPECT_EQ(seventh.channel, "outbox_gen_7");
    const worker_context named({.consumer = "office", .channel = "mine"}, pool_with(states));
    EXPECT_EQ(named.channel, "mine");
}

TEST_F(worker_services_test, a_heartbeat_is_due_at_once_after_registration) {
    heartbeat service;
    service.registered(start);
    EXPECT_LE(service.next_at(), start);
    EXPECT_THROW(service.run(context, start), no_session);
    EXPECT_LE(service.next_at(), start) << "a failed heartbeat is still due";
}

TEST_F(worker_services_test, a_worker_without_messages_has_no_lease_to_lose) {
    heartbeat service;
    service.registered(start);
    EXPECT_EQ(service.expires_at(context), never);
    service.expire(context, start + 1h);
    EXPECT_TRUE(states->states.empty());
}

TEST_F(worker_services_test, handler_timeouts_are_checked_every_second) {
    handler_timeouts service;
    service.run(context, start);
    EXPECT_EQ(service.next_at(), start + 1s);
    service.run(context, start + 500ms);
    EXPECT_EQ(service.next_at(), start + 1s);
}

TEST_F(worker_services_test, without_a_waiting_message_nothing_is_released) {
    release service;
    EXPECT_EQ(service.next_at(context, start), never);
    EXPECT_NO_THROW(service.run(context, start));
}

TEST_F(worker_services_test, replays_are_looked_for_every_ten_seconds_also_after_an_error) {
    replays service;
    EXPECT_THROW(service.run(context, start), no_session);
    EXPECT_EQ(service.next_at(), start + 10s);
    EXPECT_NO_THROW(service.run(context, start + 9s));
    service.look();
    EXPECT_LE(service.next_at(), start);
}

TEST_F(worker_services_test, a_replay_under_way_continues_by_its_rate) {
    replays service;
    EXPECT_THROW(service.run(context, start), no_session);
    const auto step = [](int moved, std::optional<std::chrono::microseconds> again_in) {
        return std::vector{store::replay_moved{
            .replay = 1, .moved = moved, .skipped = 0, .phase = "running", .again_in = again_in}};
    };
    EXPECT_FALSE(service.stepped(step(0, std::nullopt), start));
    EXPECT_EQ(service.next_at(), start + 10s) << "it has ended or is paused";
    EXPECT_TRUE(service.stepped(step(5, 2s), start));
    EXPECT_EQ(service.next_at(), start + 2s);
    service.stepped(step(1, 10ms), start);
    EXPECT_EQ(service.next_at(), start + 10ms) << "the database knows the rate";
    service.stepped(step(200, 0s), start);
    EXPECT_EQ(service.next_at(), start);
}

TEST_F(worker_services_test, schedules_are_looked_for_every_thirty_seconds_also_after_an_error) {
    schedules service;
    EXPECT_THROW(service.run(context, start), no_session);
    EXPECT_EQ(service.next_at(), start + 30s);
    EXPECT_NO_THROW(service.run(context, start + 29s));
    service.look();
    EXPECT_LE(service.next_at(), start);
    service.fired({.schedules = 0, .again_in = {}}, false, start);
    EXPECT_EQ(service.next_at(), start + 30s) << "there is none";
    service.fired({.schedules = 0, .again_in = 1h}, false, start);
    EXPECT_EQ(service.next_at(), start + 30s);
}

TEST_F(worker_services_test, the_worker_that_fires_schedules_is_in_time_and_the_others_step_back) {
    schedules service;
    service.fired({.schedules = 1, .fired = 1, .again_in = 5s}, true, start);
    EXPECT_EQ(service.next_at(), start + 5s);
    service.fired({.schedules = 1, .fired = 0, .again_in = 0ms}, true, start);
    EXPECT_EQ(service.next_at(), start) << "more is due";
    service.fired({.schedules = 0, .again_in = 5s}, false, start);
    EXPECT_EQ(service.next_at(), start + 5s) << "no slot was expected";
    service.fired({.schedules = 0, .again_in = 5s}, true, start);
    EXPECT_EQ(service.next_at(), start + 5250ms) << "another worker was faster";
    for (int i = 0; i < 10; ++i) {
        service.fired({.schedules = 0, .again_in = 5s}, true, start);
    }
    EXPECT_EQ(service.next_at(), start + 9s);
    service.fired({.schedules = 1, .fired = 1, .again_in = 5s}, true, start);
    EXPECT_EQ(service.next_at(), start + 5s) << "it took over";
    service.look();
    EXPECT_THROW(service.run(context, start + 1s), no_session);
    EXPECT_EQ(service.next_at(), start + 31s);
}

TEST_F(worker_services_test, maintenance_follows_its_interval_also_after_an_error) {
    maintenance service;
    EXPECT_THROW(service.run(context, start), no_session);
    EXPECT_EQ(service.next_at(), start + 10s) << "a third of the heartbeat timeout";
    EXPECT_NO_THROW(service.run(context, start + 9s));
}

TEST_F(worker_services_test, retention_pauses_for_five_times_its_last_step) {
    maintenance service;
    EXPECT_THROW(service.run(context, start), no_session);
    service.retained(true, start, start + 200ms);
    EXPECT_EQ(service.next_at(), start + 1200ms);
    service.retained(true, start, start + 1ms);
    EXPECT_EQ(service.next_at(), start + 101ms);
    service.retained(false, start, start + 200ms);
    EXPECT_EQ(service.next_at(), start + 10s);
    service.retained(true, start, start + 200ms);
    EXPECT_THROW(service.retain(context, start + 1200ms), no_session);
    EXPECT_EQ(service.next_at(), start + 10s) << "after an error: with the next maintenance";
}

TEST_F(worker_services_test, a_stopping_worker_does_nothing_but_report) {
    context.stopping = true;
    listening notifications(context);
    due_deliveries due(context.threads->environment().handlers);
    EXPECT_NO_THROW(replays().run(context, start));
    EXPECT_NO_THROW(schedules().run(context, start));
    EXPECT_NO_THROW(maintenance().run(context, start));
    maintenance behind;
    behind.retained(true, start - 1s, start - 1s);
    EXPECT_NO_THROW(behind.retain(context, start));
    EXPECT_NO_THROW(release().run(context, start));
    EXPECT_NO_THROW(alert_service(context).run(context, start));
    EXPECT_NO_THROW(due.run(context, start));
    EXPECT_NO_THROW(notifications.run(context, start));
    EXPECT_EQ(notifications.next_at(context), never);
}

TEST_F(worker_services_test, a_worker_with_only_the_log_sends_no_alerts) {
    context.threads->environment().only_log = true;
    context.dead_letters = true;
    alert_service service(context);
    EXPECT_EQ(service.next_at(), never);
    EXPECT_FALSE(service.busy(context));
    EXPECT_NO_THROW(service.run(context, start));
}

TEST_F(worker_services_test, alerts_are_claimed_every_five_seconds_and_sooner_when_expected) {
    alert_service service(context);
    service.claimed(0, start);
    EXPECT_EQ(service.next_at(), start + 5s);
    EXPECT_FALSE(service.busy(context));
    service.expect();
    EXPECT_EQ(service.next_at(), start + 1s);
    EXPECT_TRUE(service.busy(context));
    service.claimed(alert_desk::batch_max, start + 1s);
    EXPECT_EQ(service.next_at(), start + 1100ms) << "a full batch: more are waiting";
    service.claimed(1, start + 2s);
    EXPECT_EQ(service.next_at(), start + 7s);
    service.connected();
    EXPECT_LE(service.next_at(), start);
}

TEST_F(worker_services_test, a_dead_letter_of_another_service_is_an_expected_alert) {
    alert_service service(context);
    service.claimed(0, start);
    context.dead_letters = true;
    EXPECT_TRUE(service.busy(context));
    service.run(context, start);
    EXPECT_FALSE(context.dead_letters);
    EXPECT_EQ(service.next_at(), start + 1s);
}

TEST_F(worker_services_test, an_error_of_alerts_is_news_once) {
    alert_service service(context);
    EXPECT_TRUE(service.failed("permission denied", start));
    EXPECT_EQ(service.next_at(), start + 5s);
    EXPECT_FALSE(service.failed("permission denied", start + 5s));
}

TEST_F(worker_services_test, due_deliveries_wait_for_the_next_due_time) {
    due_deliveries service(context.threads->environment().handlers);
    EXPECT_LE(service.next_at(context), start) << "it has not asked yet";
    EXPECT_FALSE(service.idle(context, start));
    context.due_changed = false;
    service.learn(std::nullopt, start);
    EXPECT_EQ(service.next_at(context), never);
    EXPECT_TRUE(service.idle(context, start));
    service.learn(3s, start);
    EXPECT_EQ(service.next_at(context), start + 3s);
    EXPECT_TRUE(service.idle(context, start + 2s));
    EXPECT_FALSE(service.idle(context, start + 3s));
    EXPECT_NO_THROW(service.run(context, start + 2s));
    EXPECT_THROW(service.run(context, start + 3s), no_session);
    EXPECT_EQ(service.next_at(context), start + 3s) << "still due after an error";
}

TEST_F(worker_services_test, a_lost_listener_is_opened_again_after_a_pause_and_means_polling) {
    const auto before = clock::now();
    worker_context unreachable({.database = "host=/nowhere", .consumer = "office", .poll = 5s},
                               pool_with(states));
    unreachable.schedule.sweep_at(never);
    listening failing(unreachable);
    EXPECT_LE(failing.next_at(unreachable), before);
    failing.run(unreachable, before);
    EXPECT_EQ(states->states, std::vector<std::string>{"listener_lost"});
    EXPECT_FALSE(failing.announced());
    EXPECT_GE(failing.next_at(unreachable), before + 500ms);
    EXPECT_LE(failing.next_at(unreachable), clock::now() + 1s);
    EXPECT_LE(unreachable.schedule.next_at(), clock::now() + 5s);
}

TEST_F(worker_services_test, the_notification_queue_is_reported_when_its_level_changes) {
    listening service(context);
    for (const auto usage : {0.0, 0.02, 0.03, 0.3, 0.0}) {
        service.queue_filled(context, usage);
    }
    EXPECT_EQ(states->states,
              (std::vector<std::string>{"notification_queue_filling", "notification_queue_filling",
                                        "notification_queue_drained"}));
    EXPECT_EQ(states->levels, (std::vector{level::warning, level::error, level::info}));
}

}  // namespace
}  // namespace postrider::working
