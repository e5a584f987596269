// How soon a committed message starts: histories written by hand, with one message that is late.
#include <gtest/gtest.h>

#include <fstream>

#include "chaos/check/verdict.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::chaos {
namespace {

constexpr instant second = 1'000'000;
constexpr instant begins = 100 * second;
constexpr instant ends = 140 * second;
constexpr instant heartbeat_every = second * 2 / 3;
constexpr instant committed = 110 * second;

struct heartbeats {
    std::string channel = "outbox_default";
    bool listening = true;
    bool keeper = false;
    instant took = 1000;
};

/// Workers `office-1` and `office-2` of one consumer, `archive-1` of another one; two threads each.
class story {
  public:
    story() {
        add("conductor", "1 bounds start_ms=2000 keeper_ms=5000 alive_ms=2000");
        for (const std::string name : {"office", "archive"}) {
            add("conductor", "1 role consumer=" + name + " handler=" + name +
                                 ".plain types=plain.* channel=outbox_default max_attempts=3");
        }
    }
    void add(const std::string& process, const std::string& line) {
        texts_[process] += line + "\n";
    }
    void add(const std::string& process, instant at, const std::string& line) {
        add(process, std::to_string(at) + " " + line);
    }
    /// The worker is there from one time to another, according to its heartbeats.
    void works(const std::string& process, instant from, instant to, heartbeats how = {}) {
        add(process, from,
            "works consumer=" + consumer_of(process) + " threads=2 channel=" + how.channel);
        for (; from <= to; from += heartbeat_every) {
            add(process, from,
                "answered operation=heartbeat took=" + std::to_string(how.took) +
                    (how.listening ? " listening=1" : " listening=0") +
                    (how.keeper ? " keeper=1" : " keeper=0"));
        }
    }
    void publish(const std::string& id, const std::string& target = "office") {
        add("publisher", committed - 20'000,
            "intent tx=" + id + " id=" + id + " type=plain.a key=" + id +
                " channel=outbox_default target=" + target);
        add("publisher", committed, "committed tx=" + id);
        add("dump", committed,
            "published seq=" + id + " id=" + id + " channel=outbox_default type=plain.a in_log=1");
    }
    void claims(const std::string& process, instant at, const std::string& id) {
        add("dump", at,
            "lease_claimed process=" + process + " lease=" + id + process +
                " channel=outbox_default consumer=" + consumer_of(process) + " members=" + id);
    }
    void releases(const std::string& process, instant at, const std::string& id) {
        add("dump", at,
            "lease_changed process=" + process + " lease=" + id + process +
                " channel=outbox_default consumer=" + consumer_of(process) +
                " reaped=1 removed=" + id);
    }
    void runs(const std::string& process, instant at, const std::string& id, instant takes = 5000) {
        const auto consumer = consumer_of(process);
        add(process, at,
            "run run=" + id + " id=" + id + " is=" + id + " cycle=1 consumer=" + consumer +
                " handler=" + consumer + ".plain");
        add(process, at + takes, "ended outcome=delivered run=" + id);
    }
    void claims_and_runs(const std::string& process, instant at, const std::string& id,
                         instant takes = 5000) {
        claims(process, at, id);
        runs(process, at + 1000, id, takes);
    }
    verdict check() const {
        const test::scratch_directory place;
        for (const auto& [process, text] : texts_) {
            std::ofstream(place.path() / (process + ".history")) << text;
        }
        return chaos::check(place.path());
    }

  private:
    static std::string consumer_of(const std::string& process) {
        return process.substr(0, process.find('-'));
    }

    std::map<std::string, std::string> texts_;
};

std::string causes(const verdict& of) {
    std::string text = of.late > 0 ? "late" : "";
    for (const auto& [cause, count] : of.late_causes) {
        text += (text.empty() ? "" : " ") + cause;
    }
    EXPECT_EQ(of.violations.contains("I13"), of.late > 0);
    EXPECT_EQ(of.good(), of.violations.empty());
    return text;
}

TEST(starts_test, a_late_start_without_a_cause_breaks_the_invariant) {
    story told;
    told.works("office-1", begins, ends, {.keeper = true});
    told.publish("1");
    told.claims_and_runs("office-1", committed + 3 * second, "1");
    const auto found = told.check();
    EXPECT_EQ(causes(found), "late");
    EXPECT_EQ(found.late, 1);
    EXPECT_EQ(found.late_explained, 0);
    EXPECT_EQ(found.consumers.at("office").late, 1);
    EXPECT_FALSE(found.good());
    EXPECT_NEAR(found.starts.p50_s, 3.001, 0.001);
    EXPECT_NE(to_json(found).find(R"("late":1,"late_explained":0,"start_bound_s":2.000)"),
              std::string::npos)
        << to_json(found);
    EXPECT_NE(describe(found).find("within 2.0 s, 5.0 s more while the channel has no keeper"),
              std::string::npos);
}

TEST(starts_test, a_start_within_the_bound_is_in_time) {
    story told;
    told.works("office-1", begins, ends, {.keeper = true});
    told.publish("1");
    told.claims_and_runs("office-1", committed + second, "1");
    const auto found = told.check();
    EXPECT_EQ(causes(found), "");
    EXPECT_EQ(found.late + found.late_explained, 0);
}

TEST(starts_test, a_message_may_wait_for_a_worker_that_is_not_there) {
    story told;
    told.works("office-1", begins, committed - second, {.keeper = true});
    told.works("office-2", committed + 8 * second, ends, {.keeper = true});
    told.works("archive-1", begins, ends);
    told.publish("1");
    told.claims_and_runs("office-2", committed + 9 * second, "1");
    EXPECT_EQ(causes(told.check()), "not_connected");
}

TEST(starts_test, a_worker_without_notifications_or_with_a_slow_server_may_be_late) {
    for (const auto& [how, expected] :
         {std::pair(heartbeats{.listening = false, .keeper = true}, "not_connected"),
          std::pair(heartbeats{.keeper = true, .took = second / 2}, "overloaded")}) {
        story told;
        told.works("office-1", begins, ends, how);
        told.publish("1");
        told.claims_and_runs("office-1", committed + 3 * second, "1");
        EXPECT_EQ(causes(told.check()), expected);
    }
}

TEST(starts_test, one_slow_answer_does_not_excuse_the_time_around_it) {
    story told;
    told.works("office-1", begins, committed + 3 * second, {.keeper = true});
    told.works("office-1", committed + 3 * second + heartbeat_every, committed + 4 * second,
               {.keeper = true, .took = second / 2});
    told.works("office-1", committed + 4 * second + heartbeat_every, ends, {.keeper = true});
    told.publish("1");
    told.claims_and_runs("office-1", committed + 8 * second, "1");
    EXPECT_EQ(causes(told.check()), "late");
}

TEST(starts_test, a_lost_connection_interrupts_the_time_that_counts) {
    story told;
    told.publish("1");
    told.claims_and_runs("office-1", committed + 3 * second, "1");
    told.works("office-1", begins, ends, {.keeper = true});
    auto cut = told;
    cut.add("office-1", committed + 3 * second / 2, "state state=connection_lost");
    EXPECT_EQ(causes(cut.check()), "not_connected");
    told.add("office-1", committed + 3 * second / 2, "state state=handler_overdue");
    EXPECT_EQ(causes(told.check()), "late");
}

TEST(starts_test, one_worker_that_could_have_started_it_is_enough) {
    story told;
    told.works("office-1", begins, committed, {.keeper = true});
    told.works("office-2", begins, ends);
    told.works("archive-1", begins, ends, {.keeper = true});
    told.publish("1");
    told.claims_and_runs("office-2", committed + 3 * second, "1");
    EXPECT_EQ(causes(told.check()), "late");
}

TEST(starts_test, a_keeper_that_is_gone_may_be_replaced_first) {
    for (const auto& [delay, expected] :
         {std::pair(6 * second, "keeper_replaced"), std::pair(8 * second, "late")}) {
        story told;
        told.works("office-1", begins, ends);
        told.works("archive-1", begins, committed, {.keeper = true});
        told.works("archive-2", committed + 4 * second, ends, {.keeper = true});
        told.publish("1");
        told.claims_and_runs("office-1", committed + delay, "1");
        EXPECT_EQ(causes(told.check()), expected);
    }
}

TEST(starts_test, the_keeper_of_another_channel_does_not_help) {
    story told;
    told.works("office-1", begins, ends);
    told.works("office-2", begins, ends, {.channel = "outbox_gen_1", .keeper = true});
    told.publish("1");
    told.claims_and_runs("office-1", committed + 3 * second, "1");
    EXPECT_EQ(causes(told.check()), "keeper_replaced");
}

TEST(starts_test, a_message_may_wait_for_a_free_thread) {
    for (const auto& [busy, expected] : {std::pair(2, "overloaded"), std::pair(1, "late")}) {
        story told;
        told.works("office-1", begins, ends, {.keeper = true});
        for (int i = 0; i < busy; ++i) {
            const auto other = "9" + std::to_string(i);
            told.publish(other);
            told.claims_and_runs("office-1", committed, other, 4 * second);
        }
        told.publish("1");
        told.claims_and_runs("office-1", committed + 4 * second, "1");
        EXPECT_EQ(causes(told.check()), expected);
    }
}

TEST(starts_test, a_claimed_message_waits_for_its_holder) {
    story told;
    told.works("office-1", begins, committed + second / 2);
    told.works("office-2", begins, ends, {.keeper = true});
    told.publish("1");
    told.claims("office-1", committed + second / 2, "1");
    told.releases("office-1", committed + 4 * second, "1");
    told.claims_and_runs("office-2", committed + 5 * second, "1");
    EXPECT_EQ(causes(told.check()), "holder_lost");
}

TEST(starts_test, a_holder_that_is_there_starts_its_claimed_messages) {
    story told;
    told.works("office-1", begins, ends, {.keeper = true});
    told.publish("1");
    told.claims("office-1", committed + 1000, "1");
    told.runs("office-1", committed + 3 * second, "1");
    EXPECT_EQ(causes(told.check()), "late");
}

}  // namespace
}  // namespace postrider::chaos
