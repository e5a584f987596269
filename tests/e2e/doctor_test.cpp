#include "cli/doctor/doctor.hpp"

#include <algorithm>

#include "e2e/operating_fixture.hpp"
#include "support/native_library.hpp"

namespace postrider::test {
namespace {

using cli::examine_clock;
using cli::examine_functions;
using cli::examine_version;
using store::level;

/// Runs `postrider doctor` against databases with known problems. The test server has fsync off and
/// is shared with other tests, and the worker here does not use the doorbell.
class doctor_test : public operating_fixture {
  protected:
    finished_process doctor(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"doctor", "--json"};
        for (const auto* check : {"settings", "connections", "notify queue"}) {
            arguments.insert(arguments.end(), {"--ignore", check});
        }
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
    /// "level: what" of a check, the worst first.
    std::string finding(const std::string& check, std::vector<std::string> more = {}) {
        return value(
            "select coalesce(string_agg(f ->> 'level' || ': ' || (f ->> 'what'), E'\\n'), '')"
            " from jsonb_array_elements($1::jsonb -> 'findings') f where f ->> 'check' = $2",
            {doctor(std::move(more)).output, check});
    }
    std::string todo(const std::string& check) {
        return value(
            "select coalesce(string_agg(f ->> 'do', E'\\n'), '')"
            " from jsonb_array_elements($1::jsonb -> 'findings') f where f ->> 'check' = $2",
            {doctor().output, check});
    }
};

#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(contains(text, part)) << (text)

TEST_F(doctor_test, the_exit_code_is_0_for_a_healthy_database) {
    // The version check depends on the installed PostgreSQL, not on the database.
    const std::vector<std::string> ignored{"--ignore", "keeper", "--ignore", "version"};
    const auto healthy = doctor(ignored);
    EXPECT_EQ(healthy.status, 0) << healthy.output;
    EXPECT_EQ(json(healthy.output, "{level}"), "ok") << healthy.output;
    EXPECT_EQ(value("select count(*) from jsonb_array_elements($1::jsonb -> 'findings')",
                    {healthy.output}),
              "31");
    dead_letter();
    const auto worrying = doctor(ignored);
    EXPECT_EQ(worrying.status, 1) << worrying.output;
    EXPECT_EQ(json(worrying.output, "{level}"), "warning");
    const auto broken =
        doctor({"--ignore", "keeper", "--database", test_conninfo("no_such_database")});
    EXPECT_EQ(broken.status, 2) << broken.output;
    EXPECT_CONTAINS(broken.output, "no_such_database");
    EXPECT_EQ(run({"doctor", "--overdue-after", "soon"}).status, 64);
}

TEST_F(doctor_test, the_text_report_has_finding_reason_and_remedy) {
    const auto text = run({"doctor", "--ignore", "settings"});
    EXPECT_CONTAINS(text.output, "ok       clock         this machine and the server agree");
    EXPECT_CONTAINS(text.output, "warning  keeper        channel outbox_default has no keeper");
    EXPECT_CONTAINS(text.output, "why         producers do not send NOTIFY");
    EXPECT_CONTAINS(text.output, "do          check again in ten seconds");
    const auto quiet = run({"doctor", "--quiet", "--ignore", "settings"});
    EXPECT_FALSE(contains(quiet.output, "ok   ")) << quiet.output;
}

// A client in plain SQL that took the keeper's lock and then runs a long handler.
TEST_F(doctor_test, a_keeper_without_the_doorbell_is_named_with_the_command_to_end_it) {
    auto idle = database_.connect();
    idle.exec("select postrider.doorbell_keep('outbox_default')");
    EXPECT_CONTAINS(
        finding("keeper"),
        "problem: the keeper of channel outbox_default does not hold the doorbell: pid " +
            std::to_string(idle.backend_pid()));
    EXPECT_CONTAINS(todo("keeper"), "doorbell_hold()");
    idle.exec("select postrider.doorbell_hold('outbox_default')");
    EXPECT_EQ(finding("keeper"), "ok: every idle channel has a keeper that holds the doorbell");
}

TEST_F(doctor_test, a_role_near_its_quota_is_named_with_the_command_to_raise_it) {
    EXPECT_EQ(finding("quotas"), "ok: no role has used 90 % of a quota");
    sql("select postrider.create_consumer('second'), postrider.create_consumer('second', 'else')");
    sql("update postrider.setting set value = '3' where name = 'role_consumers'");
    EXPECT_CONTAINS(finding("quotas"), "warning: 3 of 3 consumers of the role ");
    EXPECT_CONTAINS(todo("quotas"),
                    "update postrider.setting set value = '6' where name = 'role_consumers'");
    sql("update postrider.setting set value = '6' where name = 'role_consumers'");
    EXPECT_EQ(finding("quotas"), "ok: no role has used 90 % of a quota");
}

TEST_F(doctor_test, native_claims_are_reported_as_a_note_at_most) {
    const auto set = "alter database " + database_.name() + " set postrider.native = ";
    sql("alter table postrider.consumer alter paused drop not null");
    if (std::filesystem::exists(native_library())) {
        EXPECT_EQ(finding("native"),
                  "note: claims are made in SQL although postrider.native is on: consumer.paused "
                  "may be null");
    }
    sql("drop function if exists postrider.exchange_native");
    EXPECT_EQ(finding("native"), "note: claims are made in SQL although postrider.native is on");
    EXPECT_CONTAINS(todo("native"), "postrider migrate up");
    sql((set + "off").c_str());
    EXPECT_EQ(finding("native"), "ok: claims are made in SQL");
}

TEST_F(doctor_test, a_changed_or_missing_function_is_named) {
    sql("create or replace function postrider.covers(p_at postrider.position, p_xid xid8, p_seq "
        "bigint)"
        " returns boolean language sql immutable as 'select true'");
    sql("drop function postrider.delay");
    const auto functions = finding("functions");
    EXPECT_CONTAINS(functions, "problem: changed: covers");
    EXPECT_CONTAINS(functions, "problem: missing: delay");
    sql("update postrider.function_set set digest = 'another'");
    EXPECT_EQ(finding("schema"), "warning: functions and views are from another release");
    sql("update postrider.migration set sha256 = 'x' where version = 3");
    EXPECT_CONTAINS(finding("schema"),
                    "problem: migration 0003_deliveries was applied with different content");
    sql("delete from postrider.migration where version > 4");
    EXPECT_CONTAINS(finding("schema"), "problem: the schema has version 4, this program needs");
}

TEST_F(doctor_test, an_empty_database_needs_to_be_migrated) {
    const test_database empty(test_database::contents::empty);
    const auto found = doctor({"--database", empty.conninfo()});
    EXPECT_EQ(found.status, 2);
    EXPECT_CONTAINS(found.output, R"("do":"postrider migrate up")");
}

TEST_F(doctor_test, the_session_that_holds_back_the_horizon_is_named_with_the_command_to_end_it) {
    auto reader = database_.connect();
    reader.exec("begin isolation level repeatable read; select 1");
    session_.exec("begin; select pg_current_xact_id(); prepare transaction 'doctor''s'");
    const auto holders = finding("horizon", {"--overdue-after", "1ms"});
    EXPECT_CONTAINS(holders, "backend " + std::to_string(reader.backend_pid()));
    EXPECT_CONTAINS(holders, "idle in transaction");
    EXPECT_CONTAINS(holders, "prepared transaction doctor's");
    const auto found = doctor({"--overdue-after", "1ms"}).output;
    EXPECT_CONTAINS(found,
                    "select pg_terminate_backend(" + std::to_string(reader.backend_pid()) + ");");
    EXPECT_CONTAINS(found, "rollback prepared 'doctor''s';");
    EXPECT_CONTAINS(finding("horizon", {"--overdue-after", "1h"}),
                    "ok: no session holds back vacuum");
    sql("rollback prepared 'doctor''s'");
}

TEST_F(doctor_test, messages_without_a_worker_or_consumer_are_found) {
    sql("select postrider.publish('x', '{}', p_channel => 'outbox_gen_7')");
    EXPECT_EQ(finding("channels"), "warning: generation 7 has messages and no consumer");
    sql("select postrider.publish('order.placed', '{}')");
    EXPECT_CONTAINS(finding("consumers"), "ok: ");
    EXPECT_CONTAINS(finding("consumers", {"--overdue-after", "1ms"}),
                    "warning: consumer billing on outbox_default has been behind since");
    sql("update postrider.worker set alive_until = clock_timestamp()");
    EXPECT_CONTAINS(finding("consumers"),
                    "warning: consumer billing on outbox_default has no running worker: messages "
                    "have been waiting since");
    EXPECT_CONTAINS(todo("consumers"),
                    "postrider work --consumer billing --channel 'outbox_default'");
    sql("select postrider.pause_consumer('billing', true, 'outbox_default', 'ann', 'maintenance')");
    EXPECT_EQ(finding("consumers"), "note: consumer billing on outbox_default is paused");
}

TEST_F(doctor_test, a_producer_that_makes_many_channels_does_not_make_the_list_of_findings_long) {
    sql("select count(postrider.publish('x', '{}', p_channel => 'many_' || n)) from "
        "generate_series(1, 150) n");
    const auto found = finding("channels");
    EXPECT_EQ(std::ranges::count(found, '\n'), 100) << found;
    EXPECT_CONTAINS(found, "\nwarning: there are more findings of this check");
}

TEST_F(doctor_test, unmatched_targets_and_event_types_are_reported) {
    sql("select postrider.publish('order.placed', '{}')");
    EXPECT_CONTAINS(finding("routing"),
                    "ok: every target has a consumer and every event type a handler");
    sql("select postrider.publish('order.placed', '{}', p_target => 'biling')");
    sql("select postrider.register_worker(gen_random_uuid(), 'stock',"
        " '[{\"name\": \"stock.reserve\", \"event_types\": [\"order.place\"]}]')");
    EXPECT_CONTAINS(
        finding("routing"),
        "warning: 1 of the newest messages on outbox_default have the target biling, which is "
        "not a consumer of that channel; did you mean billing?");
    EXPECT_CONTAINS(
        finding("routing"),
        "note: handler stock.reserve of consumer stock on outbox_default accepts event type "
        "order.place, which none of the newest messages has; did you mean order.placed?");
    EXPECT_CONTAINS(todo("routing"), "correct the target in the producer");
}

TEST_F(doctor_test, a_handler_without_a_worker_and_an_overdue_lease_are_found) {
    sql("select postrider.register_worker(gen_random_uuid(), 'billing',"
        " '[{\"name\": \"billing.other\", \"event_types\": [\"never\"]}]', p_alive_for => '1 "
        "hour')");
    sql("update postrider.worker set alive_until = clock_timestamp() where handlers = "
        "'{billing.other}'");
    EXPECT_EQ(finding("handlers"),
              "warning: no running worker has the handler billing.other of consumer billing");
    EXPECT_CONTAINS(
        todo("handlers"),
        "select postrider.retire_handler('billing', 'billing.other', 'outbox_default');");
    sql("select postrider.publish('order.placed', '{}')");
    sql("select postrider.claim($1, 1)", {worker});
    sql("update postrider.lease set deadline = clock_timestamp() - interval '10 minutes' where "
        "finished_at is null");
    EXPECT_CONTAINS(finding("leases"),
                    "problem: 1 messages of billing are in expired leases, the oldest since");
}

TEST_F(doctor_test, circuits_dead_letters_alerts_and_proposals_are_reported) {
    sql("select postrider.hold_handler('billing', 'billing.send_invoice', 'ann', 'mail is "
        "down')");
    EXPECT_EQ(finding("circuits"),
              "note: handler billing.send_invoice of billing is held by an operator");
    sql("update postrider.circuit set mode = 'automatic', failures = 20, error_class = 'timeout'");
    EXPECT_CONTAINS(finding("circuits"),
                    "warning: the circuit of billing.send_invoice of billing has been open since");
    EXPECT_CONTAINS(finding("circuits"), "after 20 consecutive failures: timeout");
    sql("select postrider.force_handler('billing', 'billing.send_invoice', 'ann', 'it is "
        "back')");
    sql("select postrider.add_alert_target('pager')");
    dead_letter();
    EXPECT_CONTAINS(finding("dead letters"), "warning: 1 dead letters of 1 handlers");
    sql("update postrider.alert set at = at - interval '2 hours'");
    EXPECT_EQ(finding("alerts"), "warning: 1 alerts have been unsent for more than an hour");
    sql("select postrider.replay_propose('{}', 'agent:x', 'try again')");
    EXPECT_EQ(finding("replays"),
              "note: replay 1 of 1 dead letters, proposed by agent:x, waits for approval");
    EXPECT_CONTAINS(todo("replays"), "postrider replay approve 1");
}

TEST_F(doctor_test, an_overdue_schedule_is_reported) {
    sql("select postrider.define_schedule('nightly', '{\"cron\": \"@daily\","
        " \"message\": {\"event_type\": \"report.due\"}}')");
    EXPECT_EQ(finding("schedules"), "ok: no schedule is overdue");
    sql("update postrider.schedule set next_slot = next_slot - interval '25 hours'");
    EXPECT_CONTAINS(finding("schedules"), "warning: 1 schedules are overdue, the first one since");
}

TEST_F(doctor_test, a_set_that_cannot_publish_its_message_is_reported) {
    sql("select postrider.publish_set('import:42', '[{\"event_type\": \"row\", \"target\":"
        " \"billing\"}]', '{\"event_type\": \"done\"}')");
    EXPECT_EQ(finding("sets"), "ok: every set of jobs can publish its message");
    sql("delete from postrider.set_member");
    EXPECT_CONTAINS(finding("sets"),
                    "warning: 1 sets cannot publish their message, the first one "
                    "is import:42");
}

TEST_F(doctor_test, a_dead_letter_without_its_copy_in_pgmq_is_reported) {
    dead_letter();
    EXPECT_EQ(finding("pgmq"), "ok: every dead letter of a pipeline on pgmq is in its queues");
    sql("insert into postrider.pgmq_pipeline (queue, consumer_id, diagnostics)"
        " select 'jobs', consumer_id, 'public.jobs_dead_letters' from postrider.delivery");
    sql("insert into postrider.pgmq_copy (delivery_id, queue, problem)"
        " select id, 'jobs', 'no such queue' from postrider.delivery");
    EXPECT_CONTAINS(finding("pgmq"), "warning: 1 dead letters have no copy in the queue jobs_dlq");
    EXPECT_CONTAINS(todo("pgmq"), "select postrider.define_pgmq_pipeline('jobs', ");
}

TEST_F(doctor_test, overdue_maintenance_is_reported) {
    sql("update postrider.setting set value = '30 days' where name = 'partition_interval'");
    EXPECT_CONTAINS(finding("partitions"), "note: log partitions exist only up to");
    dead_letter();
    sql("update postrider.delivery set dead_at = dead_at - interval '100 days'");
    sql("update postrider.retention_progress set last_run_at = last_run_at - interval '2 hours'");
    EXPECT_CONTAINS(finding("retention"),
                    "warning: 1 rows of dead_letter are past their retention; last run: ");
    sql("alter table postrider.lease set (autovacuum_enabled = off)");
    EXPECT_EQ(finding("vacuum"), "problem: autovacuum is switched off for postrider.lease");
    EXPECT_EQ(todo("vacuum"), "alter table postrider.lease reset (autovacuum_enabled);");
    sql("update postrider.epoch set system_identifier = 1");
    EXPECT_EQ(finding("cluster"),
              "problem: the log was created in another database cluster, or this cluster was "
              "restored to an earlier state");
}

TEST_F(doctor_test, changed_privileges_are_reported) {
    EXPECT_EQ(finding("roles"), "ok: roles and grants are as installed");
    sql("grant execute on function postrider.reap to public");
    sql("revoke execute on function postrider.publish from postrider_producer");
    EXPECT_CONTAINS(
        finding("roles"),
        "problem: PUBLIC may execute 1 functions of schema postrider, for example reap");
    EXPECT_CONTAINS(finding("roles"), "problem: postrider_producer may not execute publish");
}

TEST_F(doctor_test, every_check_runs_with_the_viewer_role) {
    const auto name = "doctor_viewer_" + std::to_string(session_.backend_pid());
    sql(("create role " + name + " login in role postrider_viewer").c_str());
    const auto found = doctor({"--ignore", "keeper", "--ignore", "version", "--database",
                               database_.conninfo() + " user=" + name});
    sql(("drop role " + name).c_str());
    EXPECT_EQ(found.status, 0) << found.output;
    EXPECT_FALSE(contains(found.output, "check failed: ")) << found.output;
}

TEST_F(doctor_test, hostile_names_do_not_reach_the_terminal) {
    auto reader = database_.connect();
    reader.exec("set application_name = E'\\x1b[2Jowned'; begin; select pg_current_xact_id()");
    sql("select postrider.publish('x', '{}', p_channel => E'a\\x1b]0;owned\\x07')");
    const auto text = run({"doctor", "--overdue-after", "1ms"}).output +
                      doctor({"--overdue-after", "1ms"}).output;
    EXPECT_FALSE(contains(text, "\x1b")) << text;
}

TEST(doctor, releases_with_known_faults_are_named) {
    EXPECT_EQ(examine_version(140020).front().how, level::problem);
    EXPECT_EQ(examine_version(150014).front().how, level::problem);
    EXPECT_EQ(examine_version(150015).front().how, level::warning);
    EXPECT_EQ(examine_version(180005).front().todo, "install 18.6 or later and restart the server");
    for (const int fine : {150020, 160015, 170011, 180006, 180010}) {
        EXPECT_EQ(examine_version(fine).front().how, level::ok) << fine;
    }
    EXPECT_EQ(examine_version(190000).front().how, level::note);
}

TEST(doctor, clock_difference_within_a_round_trip_is_ok) {
    EXPECT_EQ(examine_clock(1.9, 0).front().how, level::ok);
    EXPECT_EQ(examine_clock(-4, 3).front().how, level::ok);
    EXPECT_EQ(examine_clock(-4, 0).front().what,
              "the server's clock is 4.0 s behind this machine's");
    EXPECT_EQ(examine_clock(90, 0).front().how, level::warning);
}

TEST(doctor, every_function_of_the_program_is_checked) {
    const auto found = examine_functions({{"claim", "select 1"}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NE(found[0].what.find("exchange_packed"), std::string::npos);
    EXPECT_EQ(found[1].what, "changed: claim");
}

}  // namespace
}  // namespace postrider::test
