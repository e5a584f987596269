#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <postrider/error.hpp>

#include "store/messages/copy_messages.hpp"
#include "store/messages/publish.hpp"
#include "store/work/deliveries.hpp"
#include "store/work/doorbell.hpp"
#include "store/work/exchange.hpp"
#include "store/work/maintain.hpp"
#include "store/work/settle.hpp"
#include "store/work/workers.hpp"
#include "support/test_database.hpp"

namespace postrider::store {
namespace {

using namespace std::chrono_literals;
using test::test_database;

class store_test : public ::testing::Test {
  protected:
    void SetUp() override {
        register_worker(session_, {.worker = worker_,
                                   .consumer = "shop",
                                   .handlers = {{.name = "shop.ship",
                                                 .event_types = {"order.*"},
                                                 .retry = R"({"curve": "immediate"})"}},
                                   .host = "here"});
        prepare_exchange(session_);
        prepare_due(session_);
    }
    void publish_orders(int count) {
        const std::vector<new_message> orders(static_cast<std::size_t>(count),
                                              {.event_type = "order.placed"});
        ASSERT_EQ(copy_messages(session_, orders), count);
    }
    claimed_batch claim_all() { return exchange(session_, {.worker = worker_, .limit = 100}); }
    // The one delivery of a failed order; due at once.
    void fail_one_order(outcome how = outcome::transient) {
        publish_orders(1);
        const auto batch = claim_all();
        const failure no{.seq = batch[0].seq(), .how = how, .error = "no\n\"stock\""};
        ASSERT_EQ(settle(session_, worker_, batch.held_lease(), {}, {&no, 1}), settlement::settled);
    }

    test_database database_;
    pg::connection session_ = database_.connect();
    const uuid worker_ = uuid::random();
    const uuid stranger_ = uuid::random();
};

const instant noon = std::chrono::sys_days{std::chrono::year{2030} / 5 / 17} + 12h + 345678us;

new_message full_new_message() {
    return {.event_type = "order.placed",
            .payload = R"({"text": "ünï\n\"q\""})",
            .source = "web",
            .target = "shop",
            .id = uuid::parse("01890a5d-ac96-774b-bcce-b302099a8057"),
            .event_version = 3,
            .occurred_at = noon,
            .workspace_id = uuid::parse("01890A5D-AC96-774B-BCCE-B302099A8058"),
            .idempotency_key = "key \"1\"",
            .ordering_key = "customer 7",
            .partition_key = "p",
            .headers = R"({"h": 1})",
            .metadata = R"({"m": 2})",
            .trace_context = "00-ab",
            .content_class = "personal",
            .generation = 4,
            .max_attempts = 2};
}

void expect_full(const envelope& got) {
    const auto sent = full_new_message();
    EXPECT_EQ(got.id(), sent.id);
    EXPECT_EQ(got.event_type(), sent.event_type);
    EXPECT_EQ(got.event_version(), sent.event_version);
    EXPECT_EQ(got.occurred_at(), noon);
    EXPECT_EQ(got.source(), sent.source);
    EXPECT_EQ(got.target(), sent.target);
    EXPECT_EQ(got.workspace_id(), sent.workspace_id);
    EXPECT_EQ(got.payload(), sent.payload);
    EXPECT_EQ(got.headers(), sent.headers);
    EXPECT_EQ(got.idempotency_key(), sent.idempotency_key);
    EXPECT_EQ(got.ordering_key(), sent.ordering_key);
    EXPECT_EQ(got.partition_key(), sent.partition_key);
    EXPECT_EQ(got.trace_context(), sent.trace_context);
    EXPECT_EQ(got.content_class(), sent.content_class);
    EXPECT_EQ(got.generation(), sent.generation);
}

TEST_F(store_test, a_server_that_lost_its_library_claims_in_sql) {
    auto admin = database_.connect();
    admin.exec(
        "drop function if exists postrider.exchange_native;"
        "create function postrider.exchange_native(uuid, int, bigint = null, uuid = null, bigint[] "
        "= null, jsonb = null, interval = null) returns setof postrider.handed_out language c"
        " as '$libdir/plpgsql', 'plpgsql_call_handler';"
        "update pg_proc set probin = 'not_there_any_more' where proname = 'exchange_native'");
    auto session = database_.connect();
    EXPECT_FALSE(claims_natively(session));
    prepare_exchange(session);
    publish_orders(3);
    EXPECT_EQ(exchange(session, {.worker = worker_, .limit = 100}).size(), 3);
}

TEST_F(store_test, a_role_without_rights_to_the_library_claims_in_sql) {
    session_.exec(
        "do $$ begin if to_regproc('postrider.exchange_native') is not null then"
        " revoke execute on function postrider.exchange_native from postrider_worker; end if; end "
        "$$");
    auto session = database_.connect();
    session.exec("set role postrider_worker");
    EXPECT_FALSE(claims_natively(session));
    prepare_exchange(session);
    publish_orders(3);
    EXPECT_EQ(exchange(session, {.worker = worker_, .limit = 100}).size(), 3);
}

TEST_F(store_test, publish_gives_every_field_to_the_consumer) {
    EXPECT_EQ(publish(session_, full_new_message()), full_new_message().id);
    const auto batch = claim_all();
    ASSERT_EQ(batch.size(), 1);
    expect_full(batch[0]);
}

TEST_F(store_test, a_message_with_only_the_required_fields_is_unchanged) {
    auto message = new_message{.event_type = "order.placed", .payload = R"({"n": 1})"};
    message.source = "web";
    message.occurred_at = noon;
    for (const int version : {1, 2}) {
        message.event_version = version;
        message.id = uuid::random();
        publish(session_, message);
        const auto batch = claim_all();
        ASSERT_EQ(batch.size(), 1);
        EXPECT_EQ(batch[0].event_version(), version);
        EXPECT_EQ(batch[0].id(), message.id);
        EXPECT_EQ(batch[0].occurred_at(), noon);
        EXPECT_EQ(batch[0].source(), "web");
        EXPECT_EQ(batch[0].payload(), message.payload);
        EXPECT_EQ(batch[0].headers(), std::nullopt);
    }
}

TEST_F(store_test, publish_many_gives_every_field_to_the_consumer) {
    const auto message = full_new_message();
    EXPECT_EQ(publish_many(session_, {&message, 1}), 1);
    const auto batch = claim_all();
    ASSERT_EQ(batch.size(), 1);
    expect_full(batch[0]);
}

TEST_F(store_test, copy_gives_every_field_to_the_consumer) {
    const auto message = full_new_message();
    EXPECT_EQ(copy_messages(session_, {&message, 1}), 1);
    const auto batch = claim_all();
    ASSERT_EQ(batch.size(), 1);
    expect_full(batch[0]);
}

TEST_F(store_test, a_copy_writes_only_columns_that_some_message_has) {
    EXPECT_EQ(copy_columns().names(),
              "event_type, payload, source, channel, id, event_version, occurred_at");
    const std::vector<new_message> mixed{{.event_type = "order.placed"},
                                         {.event_type = "order.placed", .target = "billing"},
                                         {.event_type = "order.placed", .priority = -3}};
    EXPECT_EQ(copy_rows(mixed).columns,
              "event_type, payload, source, channel, id, event_version, occurred_at, target,"
              " priority");
    EXPECT_EQ(copy_messages(session_, mixed), 3);
    EXPECT_EQ(session_
                  .exec("select string_agg(concat_ws('/', target, priority), ' ' order by seq)"
                        " from postrider.message")
                  .text(0, 0),
              "0 billing/0 -3");
}

TEST_F(store_test, a_copy_keeps_consumers_from_falling_asleep_until_it_is_committed) {
    session_.exec("begin");
    publish_orders(3);
    EXPECT_EQ(session_
                  .exec("select count(*) from pg_locks where locktype = 'advisory'"
                        " and pid = pg_backend_pid() and mode = 'ShareLock'"
                        " and classid = 1886351201")
                  .text(0, 0),
              "1");
    session_.exec("rollback");
}

TEST_F(store_test, optional_fields_are_null_and_the_id_is_the_key) {
    const auto id = publish(session_, {.event_type = "order.placed"});
    const auto batch = claim(session_, worker_, 10);
    ASSERT_EQ(batch.size(), 1);
    EXPECT_EQ(batch[0].idempotency_key(), id.text());
    EXPECT_EQ(batch[0].payload(), "{}");
    EXPECT_EQ(batch[0].target(), std::nullopt);
    EXPECT_EQ(batch[0].headers(), std::nullopt);
    EXPECT_EQ(batch[0].workspace_id(), std::nullopt);
    EXPECT_EQ(batch[0].generation(), std::nullopt);
}

TEST_F(store_test, a_message_too_odd_to_copy_leaves_the_session_usable) {
    const new_message odd{.event_type = "order.placed", .priority = 40000};
    EXPECT_THROW(copy_messages(session_, {&odd, 1}), usage_error);
    publish_orders(1);
}

TEST_F(store_test, exchange_settles_and_claims_in_log_order) {
    publish_orders(5);
    auto first = exchange(session_, {.worker = worker_, .limit = 3});
    ASSERT_EQ(first.size(), 3);
    EXPECT_LT(first[0].seq(), first[2].seq());
    EXPECT_EQ(first.settled(), std::nullopt);
    auto second = exchange(session_, {.worker = worker_, .limit = 3, .lease = first.lease()});
    EXPECT_EQ(second.size(), 2);
    EXPECT_EQ(second.settled(), settlement::settled);
    const auto third = exchange(session_, {.worker = worker_, .limit = 3, .lease = second.lease()});
    EXPECT_TRUE(third.empty());
    EXPECT_FALSE(third.lease());
}

TEST_F(store_test, an_empty_claim_is_empty) {
    EXPECT_TRUE(claim(session_, worker_, 10).empty());
    EXPECT_FALSE(claim(session_, worker_, 10).lease());
}

TEST_F(store_test, messages_that_wait_are_counted_and_handed_out_in_time) {
    publish(session_, {.event_type = "order.placed", .available_at = noon});
    EXPECT_TRUE(claim_all().empty()) << "they are not in the log's order";
    const auto none = exchange(session_, {.worker = worker_, .limit = 9, .from = stream::waiting});
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.parked(), 1);
    EXPECT_GT(next_due(session_, worker_).waiting, 1h);
    EXPECT_FALSE(next_due(session_, worker_).delivery);
    publish(session_, {.event_type = "order.placed", .priority = 1});
    const auto due = exchange(session_, {.worker = worker_, .limit = 9, .from = stream::waiting});
    ASSERT_EQ(due.size(), 1);
    EXPECT_EQ(settle(session_, worker_, due.held_lease()), settlement::settled);
}

TEST_F(store_test, a_due_time_centuries_ahead_is_asked_for_again_after_a_day) {
    session_.exec("select postrider.publish('order.placed', p_available_at => '2400-01-01Z')");
    exchange(session_, {.worker = worker_, .limit = 9, .from = stream::waiting});
    EXPECT_EQ(next_due(session_, worker_).waiting, 24h);
}

TEST_F(store_test, settle_in_parts_leaves_a_lease_open_until_the_last) {
    publish_orders(2);
    const auto batch = claim_all();
    const std::int64_t one[] = {batch[0].seq()};
    EXPECT_EQ(settle(session_, worker_, batch.held_lease(), one), settlement::open);
    EXPECT_EQ(settle(session_, worker_, batch.held_lease()), settlement::settled);
    EXPECT_EQ(settle(session_, worker_, batch.held_lease()), settlement::settled);
}

TEST_F(store_test, a_lease_with_another_token_is_lost_and_no_error) {
    publish_orders(1);
    const auto batch = claim_all();
    const lease_ref forged{batch.held_lease().id, uuid::random()};
    EXPECT_EQ(settle(session_, worker_, forged), settlement::lost_lease);
    EXPECT_EQ(release(session_, worker_, forged), settlement::lost_lease);
    EXPECT_FALSE(extend(session_, worker_, forged, 1min));
    EXPECT_EQ(exchange(session_, {.worker = worker_, .limit = 0, .lease = forged}).settled(),
              settlement::lost_lease);
    EXPECT_TRUE(extend(session_, worker_, batch.held_lease(), 1min));
    EXPECT_EQ(settle(session_, worker_, batch.held_lease()), settlement::settled);
}

TEST_F(store_test, released_messages_are_due_again_at_once) {
    publish_orders(2);
    const auto batch = claim_all();
    EXPECT_EQ(release(session_, worker_, batch.held_lease()), settlement::settled);
    EXPECT_EQ(next_due(session_, worker_).delivery, 0us);
    const auto due = claim_due(session_, {.worker = worker_});
    ASSERT_EQ(due.size(), 2);
    EXPECT_EQ(due[0].attempts(), 1);
}

TEST_F(store_test, a_failed_message_comes_back_as_a_delivery_until_it_is_delivered) {
    fail_one_order();
    const auto due = claim_due(session_, {.worker = worker_, .deadline = 1min});
    ASSERT_EQ(due.size(), 1);
    EXPECT_EQ(due[0].handler(), "shop.ship");
    EXPECT_EQ(due[0].attempts(), 2);
    EXPECT_EQ(due[0].cycle(), 1);
    EXPECT_FALSE(due[0].alone());
    EXPECT_GT(due[0].deadline(), std::chrono::system_clock::now());
    EXPECT_EQ(due[0].event_type(), "order.placed");
    const delivery_outcome done{.delivery_id = due[0].delivery_id(),
                                .lease_token = due[0].lease_token(),
                                .how = outcome::delivered};
    const auto settled = settle_due(session_, worker_, {&done, 1});
    ASSERT_EQ(settled.size(), 1U);
    EXPECT_EQ(settled[0].delivery_id, done.delivery_id);
    EXPECT_EQ(settled[0].result, delivery_result::delivered);
    EXPECT_EQ(settle_due(session_, worker_, {&done, 1})[0].result, delivery_result::lost_lease);
    EXPECT_EQ(next_due(session_, worker_).delivery, std::nullopt);
}

TEST_F(store_test, a_terminal_failure_is_dead_and_never_due) {
    fail_one_order(outcome::terminal);
    EXPECT_TRUE(claim_due(session_, {.worker = worker_}).empty());
    EXPECT_EQ(session_.exec("select status, last_error from postrider.outbox").text(0, 1),
              "no\n\"stock\"");
}

TEST_F(store_test, a_snoozed_message_waits_for_its_delay) {
    publish_orders(1);
    const auto batch = claim_all();
    const failure later{.seq = batch[0].seq(), .how = outcome::snooze, .delay = 1h};
    settle(session_, worker_, batch.held_lease(), {}, {&later, 1});
    EXPECT_GT(next_due(session_, worker_).delivery, 50min);
}

TEST_F(store_test, heartbeat_names_the_leases_that_are_lost) {
    publish_orders(2);
    const auto held = exchange(session_, {.worker = worker_, .limit = 1});
    const auto lost = exchange(session_, {.worker = worker_, .limit = 1, .deadline = 1min});
    // A minute passes.
    session_.exec_params(
        "update postrider.lease set deadline = deadline - interval '1 minute' where id = $1",
        pg::params(lost.held_lease().id));
    EXPECT_EQ(reap(session_).leases, 1);
    const std::int64_t both[] = {held.held_lease().id, lost.held_lease().id};
    EXPECT_EQ(heartbeat(session_, worker_, both), std::vector{lost.held_lease().id});
    EXPECT_EQ(settle(session_, worker_, lost.held_lease()), settlement::lost_lease);
}

TEST_F(store_test, a_worker_that_left_is_unknown) {
    unregister_worker(session_, worker_);
    try {
        heartbeat(session_, worker_);
        FAIL() << "an unknown worker was taken for a known one";
    } catch (const error& problem) {
        EXPECT_EQ(problem.code(), errc::worker_not_registered);
    }
}

TEST_F(store_test, one_session_keeps_the_doorbell_and_is_woken_by_a_publication) {
    auto other = database_.connect();
    ASSERT_TRUE(doorbell_keep(session_, "outbox_default"));
    EXPECT_TRUE(doorbell_keep(session_, "outbox_default"));
    EXPECT_FALSE(doorbell_keep(other, "outbox_default"));
    session_.listen("outbox_default");
    other.exec("select postrider.doorbell_hold('outbox_default')");
    EXPECT_TRUE(session_.wait_notification(10s));
    publish(session_, {.event_type = "order.placed"});
    EXPECT_TRUE(session_.wait_notification(10s));
    doorbell_release(other, "outbox_default");
    publish(other, {.event_type = "order.placed"});
    EXPECT_FALSE(session_.wait_notification(0ms));
    doorbell_relay(other, "outbox_default");
    const auto relayed = session_.wait_notification(10s);
    ASSERT_TRUE(relayed);
    EXPECT_EQ(relayed->payload, relay_note);
}

TEST_F(store_test, the_doorbell_shows_silent_transactions_and_its_keeper) {
    auto other = database_.connect();
    EXPECT_EQ(doorbell_state_of(session_, "outbox_default").state, announcement::unkept);
    other.exec("begin");
    publish(other, {.event_type = "order.placed"});
    EXPECT_EQ(doorbell_watch(session_, "outbox_default").silent.size(), 1U);
    other.exec("commit");
    const auto facts = doorbell_watch(session_, "outbox_default");
    EXPECT_TRUE(facts.silent.empty());
    EXPECT_EQ(facts.wake, "doorbell");
    ASSERT_TRUE(doorbell_keep(other, "outbox_default"));
    const auto unserved = doorbell_state_of(session_, "outbox_default");
    EXPECT_EQ(unserved.state, announcement::unserved);
    EXPECT_NE(unserved.holder.find("application"), std::string::npos) << unserved.holder;
    session_.exec("select postrider.set_wake('quiet', 'never')");
    EXPECT_EQ(doorbell_state_of(session_, "quiet").state, announcement::poll);
}

TEST_F(store_test, maintain_reports_its_actions) {
    maintain(session_);
    session_.exec("update postrider.setting set value = '9' where name = 'partitions_ahead'");
    EXPECT_EQ(maintain(session_).size(), 2U);
    EXPECT_TRUE(maintain(session_).empty());
}

}  // namespace
}  // namespace postrider::store
