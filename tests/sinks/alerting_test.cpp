// Real workers, a real database and real servers that accept or refuse alerts.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <postrider/postrider.hpp>
#include <postrider/sinks.hpp>
#include <set>
#include <string>
#include <vector>

#include "sinks/alert_server.hpp"
#include "sinks/records.hpp"
#include "support/scratch_directory.hpp"
#include "worker/worker_fixture.hpp"

namespace postrider::test {
namespace {

using nlohmann::json;

class alerting : public worker_fixture {
  protected:
    worker_options alarmed(std::vector<std::shared_ptr<alert_target>> targets) const {
        auto made = options();
        made.alert_targets = std::move(targets);
        return made;
    }
    static void add_handlers(worker& to) {
        to.on("bad.*", "office.bad", [](const event&) { return terminal("no paper", "printer"); });
        to.on("good.*", "office.good", [](const event&) {});
    }
    bool all_sent() { return becomes("0", "select count(*) from postrider.alert_sending"); }
    std::shared_ptr<alert_target> hook(std::chrono::milliseconds timeout = 10s) const {
        return webhook_target({.url = "http://" + server_.place() + "/hunter2",
                               .bearer_token = "hunter2",
                               .timeout = timeout});
    }

    alert_server server_;
};

TEST_F(alerting, each_dead_letter_is_told_once_by_one_of_all_workers) {
    const scratch_directory place;
    const std::string file = place.path() / "log";
    const auto metrics = prometheus_sink({.listen = ""});
    const auto sentry = sentry_target({.dsn = "http://key@" + server_.place() + "/42"});
    auto first = alarmed({hook(), sentry});
    first.sink = fan_out(watching, fan_out(json_lines_sink({.to = file}), metrics));
    auto second = alarmed({webhook_target({.url = "http://" + server_.place() + "/hunter2"}),
                           sentry_target({.dsn = "http://key@" + server_.place() + "/42"})});
    second.sink = first.sink;
    worker one(first);
    worker other(second);
    for (auto* each : {&one, &other}) {
        add_handlers(*each);
        each->start();
    }
    ASSERT_TRUE(becomes("3", "select count(*) from postrider.alert_target"));
    session.exec(
        "select postrider.publish('bad.a', p_source => 'shop') from generate_series(1, 25)");
    ASSERT_TRUE(becomes("25", "select count(*) from postrider.alert"));
    const auto taken = server_.wait_taken(50);
    ASSERT_TRUE(all_sent());
    std::multiset<std::string> hooked;
    std::multiset<std::string> enveloped;
    for (const auto& request : taken) {
        if (request.path == "/hunter2") {
            hooked.insert(json::parse(request.body)["event_id"]);
        } else {
            enveloped.insert(request.body.substr(0, request.body.find(',')));
        }
    }
    EXPECT_EQ(hooked.size(), 25U);
    EXPECT_EQ(std::set(hooked.begin(), hooked.end()).size(), 25U);
    EXPECT_EQ(enveloped.size(), 25U);
    EXPECT_EQ(std::set(enveloped.begin(), enveloped.end()).size(), 25U);
    EXPECT_NE(metrics->exposition().find("postrider_alerts_total{consumer=\"office\","
                                         "handler=\"office.bad\",kind=\"dead_letter\"} 25"),
              std::string::npos)
        << metrics->exposition();
    std::set<std::string> logged;
    std::ifstream log(file);
    json last;
    for (std::string line; std::getline(log, line);) {
        EXPECT_EQ(line.find("hunter2"), std::string::npos);
        if (auto parsed = json::parse(line); parsed["message"] == "alert") {
            EXPECT_TRUE(logged.insert(parsed["event_id"]).second) << line;
            last = std::move(parsed);
        }
    }
    EXPECT_EQ(logged.size(), 25U);
    EXPECT_EQ(last["event_type"], "bad.a");
    EXPECT_EQ(last["source"], "shop");
    EXPECT_TRUE(last["target"].is_null());
    EXPECT_EQ(last["handler_name"], "office.bad");
    EXPECT_EQ(last["last_error"], "no paper");
    EXPECT_EQ(last["attempts"], 1);
}

TEST_F(alerting, messages_do_not_wait_for_a_transaction_that_adds_a_target) {
    auto other = database.connect();
    other.exec("begin");
    other.exec("select postrider.add_alert_target('other')");
    worker office(alarmed({hook()}));
    add_handlers(office);
    office.start();
    ASSERT_TRUE(watching->wait_state("alerts_failing"));
    const auto began = std::chrono::steady_clock::now();
    for (std::size_t i = 1; i <= 20; ++i) {
        publish("good.a");
        ASSERT_TRUE(watching->wait_done(i));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - began, 4s);
    other.exec("rollback");
    EXPECT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
}

TEST_F(alerting, a_server_that_answers_500_gets_the_alert_when_it_recovers) {
    server_.answer_next({500});
    worker office(alarmed({hook()}));
    add_handlers(office);
    office.start();
    ASSERT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
    publish("bad.a");
    ASSERT_TRUE(watching->wait_state("alert_target_failing"));
    EXPECT_EQ(server_.wait_taken(1).size(), 1U);
    ASSERT_TRUE(watching->wait_state("alert_target_recovered"));
    EXPECT_TRUE(all_sent());
    EXPECT_EQ(watching->said().find("hunter2"), std::string::npos);
}

TEST_F(alerting, a_server_that_hangs_holds_up_no_message_and_no_other_target) {
    server_.hold();
    alert_server well;
    worker office(
        alarmed({hook(), webhook_target({.url = "http://" + well.place(), .name = "well"})}));
    add_handlers(office);
    office.start();
    ASSERT_TRUE(becomes("3", "select count(*) from postrider.alert_target"));
    publish("bad.a");
    ASSERT_TRUE(server_.wait_asked(1));
    EXPECT_EQ(well.wait_taken(1).size(), 1U);
    const auto began = std::chrono::steady_clock::now();
    session.exec("select postrider.publish('good.a') from generate_series(1, 1000)");
    ASSERT_TRUE(watching->wait_done(1000));
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    server_.release();
    EXPECT_EQ(server_.wait_taken(1).size(), 1U);
    EXPECT_TRUE(all_sent());
}

TEST_F(alerting, a_server_that_is_not_there_gets_its_alerts_when_it_is) {
    auto gone = std::make_unique<alert_server>();
    const int port = gone->port();
    gone.reset();
    worker office(alarmed({webhook_target({.url = "http://127.0.0.1:" + std::to_string(port)})}));
    add_handlers(office);
    office.start();
    ASSERT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
    publish("bad.a");
    ASSERT_TRUE(watching->wait_state("alert_target_failing"));
    ASSERT_TRUE(becomes("t", "select last_error <> '' from postrider.alert_sending"));
    alert_server back(port);
    EXPECT_EQ(back.wait_taken(1).size(), 1U);
    EXPECT_TRUE(all_sent());
}

TEST_F(alerting, a_worker_stops_while_a_server_hangs_and_the_next_one_tells) {
    server_.hold();
    {
        worker office(alarmed({hook(60s)}));
        add_handlers(office);
        office.start();
        ASSERT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
        publish("bad.a");
        ASSERT_TRUE(server_.wait_asked(1));
        const auto began = std::chrono::steady_clock::now();
        office.request_stop();
        office.wait();
        EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    }
    EXPECT_EQ(value("select last_error from postrider.alert_sending where target <> 'sink'"),
              "Operation was aborted by an application callback");
    server_.release();
    worker next(alarmed({hook()}));
    add_handlers(next);
    next.start();
    EXPECT_TRUE(all_sent());
}

TEST_F(alerting, a_batch_program_tells_before_it_ends) {
    auto once = alarmed({hook()});
    session.exec("select postrider.add_alert_target('" + once.alert_targets[0]->name() + "')");
    session.exec("select postrider.create_consumer('office')");
    publish("bad.a");
    once.until_idle = true;
    once.from_beginning = true;
    worker office(once);
    add_handlers(office);
    office.start();
    office.wait();
    EXPECT_EQ(server_.wait_taken(1).size(), 1U);
    EXPECT_EQ(value("select count(*) from postrider.alert_sending"), "0");
}

TEST_F(alerting, a_worker_without_alerts_leaves_them_to_others) {
    auto quiet = alarmed({hook()});
    quiet.alerts = false;
    quiet.until_idle = true;
    session.exec("select postrider.add_alert_target('sink')");
    session.exec("select postrider.create_consumer('office')");
    publish("bad.a");
    worker office(quiet);
    add_handlers(office);
    office.start();
    office.wait();
    EXPECT_EQ(value("select target from postrider.alert_sending"), "sink");
}

// Two teams, each with a process and a webhook of its own, that gave the webhook no name.
TEST_F(alerting, webhooks_with_different_addresses_each_get_every_alert) {
    alert_server other;
    worker first(alarmed({hook()}));
    worker second(alarmed({webhook_target({.url = "http://" + other.place() + "/hunter2"})}));
    for (auto* each : {&first, &second}) {
        add_handlers(*each);
        each->start();
    }
    ASSERT_TRUE(becomes("3", "select count(*) from postrider.alert_target"));
    session.exec("select postrider.publish('bad.a') from generate_series(1, 12)");
    for (auto* place : {&server_, &other}) {
        std::set<std::string> events;
        for (const auto& request : place->wait_taken(12)) {
            events.insert(json::parse(request.body)["event_id"]);
        }
        EXPECT_EQ(events.size(), 12U);
    }
    EXPECT_TRUE(all_sent());
    EXPECT_EQ(value("select count(*) from postrider.alert_target where name like '%hunter2%'"),
              "0");
    EXPECT_EQ(watching->count_state("alert_target_conflict"), 0);
}

TEST_F(alerting, a_new_address_under_the_same_name_takes_over_and_the_old_process_warns) {
    const auto named = [](const alert_server& at) {
        return webhook_target({.url = "http://" + at.place() + "/hunter2", .name = "ops"});
    };
    alert_server fresh;
    worker old(alarmed({named(server_)}));
    add_handlers(old);
    old.start();
    ASSERT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
    publish("bad.a");
    ASSERT_EQ(server_.wait_taken(1).size(), 1U);
    // The old address is down: alerts that could not be sent there are sent to the new one.
    server_.answer_next({500});
    publish("bad.b");
    ASSERT_TRUE(watching->wait_state("alert_target_failing"));
    const auto later = std::make_shared<observer>();
    auto changed = alarmed({named(fresh)});
    changed.sink = later;
    worker next(changed);
    add_handlers(next);
    next.start();
    ASSERT_TRUE(watching->wait_state("alert_target_conflict"));
    session.exec("select postrider.publish('bad.c') from generate_series(1, 12)");
    ASSERT_TRUE(becomes("14", "select count(*) from postrider.alert"));
    EXPECT_TRUE(all_sent());
    std::multiset<std::string> events;
    for (auto* place : {&server_, &fresh}) {
        for (const auto& request : place->wait_taken(place == &fresh ? 12 : 1)) {
            events.insert(json::parse(request.body)["event_id"]);
        }
    }
    EXPECT_EQ(std::set(events.begin(), events.end()).size(), 14U);
    EXPECT_EQ(events.size(), 14U);
    EXPECT_EQ(later->count_state("alert_target_conflict"), 0);
    EXPECT_NE(watching->said().find("the target ops"), std::string::npos);
    EXPECT_EQ(watching->said().find("hunter2"), std::string::npos);
}

TEST_F(alerting, the_old_process_sends_again_when_those_with_the_new_address_are_gone) {
    const auto named = [](const alert_server& at) {
        return webhook_target({.url = "http://" + at.place(), .name = "ops"});
    };
    alert_server fresh;
    worker old(alarmed({named(server_)}));
    add_handlers(old);
    old.start();
    ASSERT_TRUE(becomes("2", "select count(*) from postrider.alert_target"));
    auto changed = alarmed({named(fresh)});
    changed.sink = std::make_shared<observer>();
    {
        worker next(changed);
        add_handlers(next);
        next.start();
        ASSERT_TRUE(watching->wait_state("alert_target_conflict"));
    }
    // As if a minute had passed.
    session.exec(
        "update postrider.alert_configuration set seen_at = seen_at - interval '1 minute'"
        " where introduced_at = (select max(introduced_at) from postrider.alert_configuration)");
    ASSERT_TRUE(watching->wait_state("alert_target_agreed"));
    publish("bad.a");
    EXPECT_EQ(server_.wait_taken(1).size(), 1U);
}

TEST_F(alerting, two_targets_of_one_name_are_refused) {
    worker office(alarmed({hook(), hook()}));
    add_handlers(office);
    EXPECT_THROW(office.start(), usage_error);
}

TEST_F(alerting, a_target_that_is_none_is_refused) {
    worker office(alarmed({nullptr}));
    add_handlers(office);
    EXPECT_THROW(office.start(), usage_error);
}

}  // namespace
}  // namespace postrider::test
