// Hand-written histories. The complete one is valid; each of the others breaks one invariant, which
// the checker has to name.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "chaos/check/verdict.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::chaos {
namespace {

// m1 is a plain message that fails once and is delivered by its delivery; m2 is booked by a
// transactional handler; m3 dies and is replayed; m4 was rolled back; m5 belongs to a generation.
constexpr const char* conductor = R"(
1 begins seed=1
1 bounds claim_ms=5000
1 role consumer=office handler=office.plain types=plain.* channel=outbox_default max_attempts=3 max_crashes=2
1 role consumer=office handler=office.book types=book.* channel=outbox_default transactional=1 max_attempts=3 max_crashes=2
1 role consumer=office handler=office.task types=gen.* channel=outbox_gen_1 max_attempts=3 max_crashes=2
1 fault_began number=1 fault=cut
2 fault_ended number=1 fault=cut
)";
constexpr const char* publisher = R"(
100 intent tx=t1 id=m1 type=plain.a key=m1 channel=outbox_default
101 committed tx=t1
100 intent tx=t2 id=m2 type=book.a key=k2 channel=outbox_default
101 committed tx=t2
100 intent tx=t3 id=m3 type=plain.a key=m3 channel=outbox_default
101 committed tx=t3
100 intent tx=t4 id=m4 type=plain.a key=m4 channel=outbox_default
101 rolled_back tx=t4
100 intent tx=t5 id=m5 type=gen.a key=m5 channel=outbox_gen_1 generation=1
101 committed tx=t5
)";
constexpr const char* worker = R"(
210 run run=1 id=m1 consumer=office handler=office.plain cycle=1 is=m1
220 ended run=1 outcome=transient
210 run run=2 id=m2 consumer=office handler=office.book cycle=1 is=m2
220 ended run=2 outcome=delivered
230 run run=3 id=m3 consumer=office handler=office.plain cycle=1 is=m3
240 ended run=3 outcome=terminal
410 run run=4 id=m1 consumer=office handler=office.plain cycle=1 is=m1
420 ended run=4 outcome=delivered
610 run run=5 id=m3 consumer=office handler=office.plain cycle=2 is=m3
620 ended run=5 outcome=delivered
210 run run=6 id=m5 consumer=office handler=office.task cycle=1 is=m5 generation=1
220 ended run=6 outcome=delivered
)";
constexpr const char* dump = R"(
100 published seq=1 id=m1 channel=outbox_default type=plain.a in_log=1
100 published seq=2 id=m2 channel=outbox_default type=book.a in_log=1
100 published seq=3 id=m3 channel=outbox_default type=plain.a in_log=1
100 published seq=5 id=m5 channel=outbox_gen_1 type=gen.a in_log=1
200 lease_claimed process=w1 lease=1 consumer=office channel=outbox_default token=a worker=x members=1,2,3
200 lease_claimed process=w1 lease=2 consumer=office channel=outbox_gen_1 token=b worker=x members=5
300 lease_changed process=w1 lease=1 consumer=office channel=outbox_default was_reaped=0 reaped=0 removed=1,2,3
300 lease_changed process=w1 lease=2 consumer=office channel=outbox_gen_1 was_reaped=0 reaped=0 removed=5
300 delivery process=w1 delivery=11 consumer=office message=m1 handler=office.plain from=none to=pending attempts=1 crashes=0 cycle=1 outcome=transient key=m1 payload=p1 history=0 available_at=350
400 delivery process=w1 delivery=11 consumer=office message=m1 handler=office.plain from=pending to=in_flight attempts=2 crashes=0 cycle=1 cycle_before=1 outcome=transient key=m1 key_before=m1 payload=p1 payload_before=p1 history=0 history_before=0 available_before=350
430 delivery process=w1 delivery=11 consumer=office message=m1 handler=office.plain from=in_flight to=delivered attempts=2 crashes=0 cycle=1 cycle_before=1 outcome=delivered key=m1 key_before=m1 payload=p1 payload_before=p1 history=0 history_before=0
300 delivery process=w1 delivery=13 consumer=office message=m3 handler=office.plain from=none to=failed attempts=1 crashes=0 cycle=1 outcome=terminal key=m3 payload=p3 history=0 available_at=300
500 delivery process=conductor delivery=13 consumer=office message=m3 handler=office.plain from=failed to=pending attempts=0 crashes=0 cycle=2 cycle_before=1 key=m3 key_before=m3 payload=p3 payload_before=p3 history=1 history_before=0 available_at=500
600 delivery process=w1 delivery=13 consumer=office message=m3 handler=office.plain from=pending to=in_flight attempts=1 crashes=0 cycle=2 cycle_before=2 key=m3 key_before=m3 payload=p3 payload_before=p3 history=1 history_before=1 available_before=500
630 delivery process=w1 delivery=13 consumer=office message=m3 handler=office.plain from=in_flight to=delivered attempts=1 crashes=0 cycle=2 cycle_before=2 outcome=delivered key=m3 key_before=m3 payload=p3 payload_before=p3 history=1 history_before=1
900 outbox id=m1 consumer=office handler=office.plain status=delivered cycle=1
900 outbox id=m2 consumer=office handler=office.book status=delivered cycle=1
900 outbox id=m3 consumer=office handler=office.plain status=delivered cycle=2
900 outbox id=m5 consumer=office handler=office.task status=delivered cycle=1
900 effect_committed consumer=office handler=office.book key=k2 times=1
900 handled consumer=office handler=office.book key=k2
900 alert delivery=13 cycle=1 times=1
)";

/// The complete history, in which lines can be replaced or added.
class told {
  public:
    told& replace(const std::string& from, const std::string& to) {
        for (auto* text : {&conductor_, &publisher_, &worker_, &dump_}) {
            if (const auto at = text->find(from); at != std::string::npos) {
                text->replace(at, from.size(), to);
                return *this;
            }
        }
        throw std::logic_error("nothing to replace: " + from);
    }
    /// Removes the first line that contains the text.
    told& without(const std::string& part) {
        for (auto* text : {&conductor_, &publisher_, &worker_, &dump_}) {
            if (const auto at = text->find(part); at != std::string::npos) {
                const auto begin = text->rfind('\n', at) + 1;
                text->erase(begin, text->find('\n', at) + 1 - begin);
                return *this;
            }
        }
        throw std::logic_error("nothing to remove: " + part);
    }
    told& add(const std::string& line) {
        dump_ += line + "\n";
        return *this;
    }
    told& in_worker(const std::string& lines) {
        worker_ += lines + "\n";
        return *this;
    }
    told& in_another(const std::string& lines) {
        other_ += lines + "\n";
        return *this;
    }
    verdict check() const {
        const test::scratch_directory place;
        const auto write = [&](const char* name, const std::string& text) {
            std::ofstream file(place.path() / name);
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                file << (line.empty() ? "" : line + "\n");
            }
        };
        write("conductor.history", conductor_);
        write("publisher.history", publisher_);
        write("w1.history", worker_);
        write("w2.history", other_);
        write("dump.history", dump_);
        return chaos::check(place.path());
    }

  private:
    std::string conductor_ = chaos::conductor;
    std::string publisher_ = publisher;
    std::string worker_ = worker;
    std::string other_;
    std::string dump_ = dump;
};

/// The invariants that are found broken, in order.
std::string broken(const told& story) {
    std::string names;
    for (const auto& [name, count] : story.check().violations) {
        names += (names.empty() ? "" : " ") + name;
    }
    return names;
}

const std::string m1_row = "900 outbox id=m1 consumer=office handler=office.plain";
const std::string m1_delivery =
    " delivery=11 consumer=office message=m1 handler=office.plain key=m1 key_before=m1 payload=p1"
    " payload_before=p1 cycle=1 cycle_before=1 ";

TEST(checker_test, a_whole_history_is_good) {
    const auto found = told().check();
    EXPECT_TRUE(found.good()) << describe(found);
    EXPECT_EQ(last_line(found),
              "published 4, delivered 4, dead 0, duplicates 0 (explained 0), lost 0, invented 0, "
              "unexplained 0");
}

TEST(checker_test, a_committed_message_that_is_gone_is_lost) {
    const auto found = told().without("published seq=1 ").check();
    EXPECT_EQ(found.lost, 1);
    EXPECT_EQ(found.examples.at(0).invariant, "I1");
}

TEST(checker_test, a_message_without_a_run_is_lost_in_every_status) {
    EXPECT_EQ(
        broken(told().replace("ended run=6 outcome=delivered", "ended run=6 outcome=transient")),
        "I1");
    EXPECT_EQ(told().without("ended run=6").check().lost, 1);
    EXPECT_EQ(broken(told().without("effect_committed")), "I1");
}

TEST(checker_test, a_message_is_in_one_state) {
    EXPECT_EQ(broken(told().add(m1_row + " status=failed cycle=1")), "I1");
    EXPECT_EQ(broken(told().without(m1_row)), "I1");
}

TEST(checker_test, messages_that_were_rolled_back_or_never_published_are_invented) {
    const std::string row = " channel=outbox_default type=other.a in_log=1";
    EXPECT_EQ(told().add("100 published seq=4 id=m4" + row).check().invented, 1);
    EXPECT_EQ(told().add("100 published seq=4 id=m9" + row).check().invented, 1);
    EXPECT_EQ(broken(told().in_worker("700 run run=9 id=m4 consumer=office handler=office.plain"
                                      " cycle=1 is=m4")),
              "I1");
    EXPECT_EQ(broken(told().replace("cycle=1 is=m5", "cycle=1 is=m1")), "I1");
}

TEST(checker_test, more_runs_than_a_cycle_may_have) {
    told story;
    for (int run = 20; run < 25; ++run) {
        const auto name = std::to_string(run);
        const auto at = std::to_string(250 + run);
        story.in_worker(at + " run run=" + name +
                        " id=m1 consumer=office handler=office.plain cycle=1 is=m1\n" + at +
                        " ended run=" + name + " outcome=transient");
    }
    EXPECT_EQ(broken(story), "I2");
    EXPECT_EQ(broken(told().replace("to=in_flight attempts=2", "to=in_flight attempts=4")), "I2");
}

TEST(checker_test, only_the_holder_settles) {
    EXPECT_EQ(
        broken(told().replace("300 lease_changed process=w1", "300 lease_changed process=w2")),
        "I3");
    EXPECT_EQ(broken(told().replace("430 delivery process=w1", "430 delivery process=w2")), "I3");
    EXPECT_EQ(broken(told().add("310 lease_changed process=w1 lease=1 consumer=office"
                                " channel=outbox_default was_reaped=1 reaped=1")),
              "I3");
    EXPECT_EQ(broken(told().replace("200 lease_claimed process=w1 lease=2",
                                    "215 lease_claimed process=w1 lease=2")),
              "I3");
}

TEST(checker_test, the_dead_stay_dead_until_they_are_replayed) {
    EXPECT_EQ(broken(told().replace("from=failed to=pending", "from=failed to=in_flight")), "I4");
    EXPECT_EQ(broken(told().replace("history=1 history_before=0", "history=2 history_before=0")),
              "I4");
    EXPECT_EQ(broken(told().replace("key=m3 key_before=m3", "key=m4 key_before=m3")), "I4");
}

TEST(checker_test, an_effect_happens_once) {
    EXPECT_EQ(broken(told().replace("key=k2 times=1", "key=k2 times=2")), "I5");
    EXPECT_EQ(broken(told().add(
                  "900 effect_committed consumer=office handler=office.book key=k9 times=1")),
              "I5");
    EXPECT_EQ(broken(told().add(
                  "900 effect_committed consumer=other handler=office.book key=k2 times=1")),
              "I5");
}

TEST(checker_test, due_messages_are_claimed_soon) {
    told story;
    story
        .replace("200 lease_claimed process=w1 lease=2", "9000200 lease_claimed process=w1 lease=2")
        .replace("210 run run=6", "9000210 run run=6")
        .replace("220 ended run=6", "9000220 ended run=6")
        .replace("300 lease_changed process=w1 lease=2",
                 "9000300 lease_changed process=w1 lease=2");
    EXPECT_EQ(broken(story), "I6");
    // Unless there was a fault meanwhile.
    story.replace("2 fault_ended", "8000000 fault_ended");
    EXPECT_EQ(broken(story), "");
    EXPECT_EQ(broken(told().replace(m1_row + " status=delivered", m1_row + " status=pending")),
              "I6");
}

TEST(checker_test, due_retries_are_claimed_soon) {
    EXPECT_EQ(broken(told()
                         .replace("400 delivery process=w1", "9000400 delivery process=w1")
                         .replace("430 delivery process=w1", "9000430 delivery process=w1")),
              "I6");
}

TEST(checker_test, a_process_that_ends_by_itself_is_named) {
    EXPECT_EQ(broken(told().add("700 process_ended name=w1 status=137")), "");
    EXPECT_EQ(broken(told().add("700 process_ended name=w1 status=134")), "process");
}

TEST(checker_test, nothing_is_claimed_before_its_time) {
    EXPECT_EQ(broken(told().replace("available_before=350", "available_before=450")), "I7");
    EXPECT_EQ(broken(told().replace("type=gen.a in_log=1", "type=gen.a in_log=1 available_at=205")),
              "I7");
    EXPECT_EQ(broken(told().replace("is=m5 generation=1", "is=m5 generation=2")), "I7");
}

TEST(checker_test, a_run_that_comes_again_has_a_cause) {
    const std::string again =
        "215 run run=1 id=m2 consumer=office handler=office.book cycle=1 is=m2\n"
        "225 ended run=1 outcome=delivered";
    const std::string claim =
        "212 lease_claimed process=w2 lease=3 consumer=office channel=outbox_default token=c"
        " worker=y members=2";
    const auto found = told().in_another(again).add(claim).check();
    EXPECT_EQ(found.unexplained, 1);
    EXPECT_EQ(found.violations.size(), 1U);
    EXPECT_EQ(found.violations.begin()->first, "I8");
    const auto explained = told()
                               .in_another(again)
                               .add(claim)
                               .add(
                                   "211 lease_changed process=w2 lease=1 consumer=office"
                                   " channel=outbox_default was_reaped=0 reaped=1 removed=2")
                               .check();
    EXPECT_EQ(explained.duplicates, 1);
    EXPECT_EQ(explained.explained, 1);
    EXPECT_EQ(explained.unexplained, 0);
    EXPECT_TRUE(told().in_another(again).add(claim).add("214 server_crashed").check().good());
    // Lost before it began, by a worker that was stopped meanwhile.
    EXPECT_EQ(told()
                  .in_another(again)
                  .add(claim)
                  .add("205 lease_changed process=w2 lease=1 consumer=office"
                       " channel=outbox_default was_reaped=0 reaped=1 removed=2")
                  .check()
                  .explained,
              1);
    // Lost before another worker claimed it, and begun after that.
    EXPECT_EQ(told()
                  .in_another(again)
                  .add("180 lease_claimed process=w2 lease=3 consumer=office"
                       " channel=outbox_default token=c worker=y members=2")
                  .add("185 lease_changed process=w1 lease=3 consumer=office"
                       " channel=outbox_default was_reaped=0 reaped=1 removed=2")
                  .check()
                  .explained,
              1);
}

TEST(checker_test, a_redelivered_message_may_run_in_a_cycle_of_the_same_number) {
    const auto again = [](told story) {
        return story
            .in_another(
                "810 run run=1 id=m3 consumer=office handler=office.plain cycle=2 is=m3\n"
                "820 ended run=1 outcome=delivered")
            .add(
                "805 delivery process=w2 delivery=14 consumer=office message=m3"
                " handler=office.plain from=pending to=in_flight attempts=1 cycle=2"
                " cycle_before=2");
    };
    EXPECT_EQ(broken(again(told())), "I8");
    EXPECT_EQ(broken(again(told().add("800 delivery process=conductor delivery=14 consumer=office"
                                      " message=m3 handler=office.plain from=delivered to=pending"
                                      " attempts=0 cycle=2 cycle_before=1"))),
              "");
}

/// w2 claims m1 once more and is charged with a crash, without a run.
told charged_without_a_run(const std::string& charged = "3000600") {
    told story;
    story.replace("ended run=4 outcome=delivered", "ended run=4 outcome=transient")
        .replace("from=in_flight to=delivered attempts=2 crashes=0 cycle=1",
                 "from=in_flight to=pending attempts=2 crashes=0 cycle=1")
        .replace(m1_row + " status=delivered", m1_row + " status=failed")
        .add("500 delivery process=w2" + m1_delivery +
             "from=pending to=in_flight attempts=3 crashes=1")
        .add(charged + " delivery process=w3" + m1_delivery +
             "from=in_flight to=failed attempts=3 crashes=2 outcome=crashed")
        .add("900 alert delivery=11 cycle=1 times=1");
    return story;
}
const std::string w2_knows = "520 answered operation=claim_due took=50\n";
const std::string w2_lives = "1500520 answered operation=heartbeat took=50\n";
const std::string w2_ended = "3000700 process_ended name=w2 status=137";

TEST(checker_test, a_crash_is_charged_only_to_running_deliveries) {
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows)), "I9");
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows + w2_lives).add(w2_ended)), "I9");
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows).in_another(
                  "530 run run=1 id=m1 consumer=office handler=office.plain cycle=1 is=m1")),
              "");
}

TEST(checker_test, a_crash_is_charged_only_to_suspects) {
    const auto charged = [](const char* suspect) {
        auto story = charged_without_a_run();
        story.replace("attempts=3 crashes=2 outcome=crashed",
                      "attempts=3 crashes=2 crashes_before=0 suspect_before=" +
                          std::string(suspect) + " outcome=crashed");
        return broken(story.in_another(w2_knows).in_another(
            "530 run run=1 id=m1 consumer=office handler=office.plain cycle=1 is=m1"));
    };
    EXPECT_EQ(charged("1"), "");
    EXPECT_EQ(charged("0"), "I9");
}

TEST(checker_test, any_process_may_take_back_a_delivery_of_a_lost_worker) {
    const auto taken_by = [](const std::string& why) {
        told story;
        story.replace("430 delivery process=w1", "430 delivery process=w2")
            .replace(
                "from=in_flight to=delivered attempts=2 crashes=0 cycle=1 cycle_before=1 "
                "outcome=delivered",
                "from=in_flight to=delivered attempts=2 crashes=0 cycle=1 cycle_before=1 "
                "outcome=interrupted" +
                    why);
        return broken(story);
    };
    EXPECT_EQ(taken_by(" error_class=worker_lost"), "");
    EXPECT_EQ(taken_by(" error_class=lease_expired"), "");
    EXPECT_EQ(taken_by(""), "I3");
}

TEST(checker_test, a_worker_that_ends_right_after_a_claim_is_charged_for_it) {
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows).add(w2_ended)), "");
    const std::string stopped = " hit action=SIGSTOP target=w2";
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows).add("700" + stopped)), "");
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_knows).add("2000700" + stopped)), "I9");
}

TEST(checker_test, a_claim_whose_answer_is_lost_or_late_is_charged_all_the_same) {
    EXPECT_EQ(broken(charged_without_a_run().in_another(w2_lives)), "");
    const std::string before = "490 answered operation=claim_due took=50\n";
    const std::string after = "600 answered operation=claim_due took=50\n";
    EXPECT_EQ(broken(charged_without_a_run().in_another(before + after)), "");
    EXPECT_EQ(broken(charged_without_a_run().in_another(
                  "1000900 answered operation=claim_due took=1000500\n")),
              "");
    EXPECT_EQ(broken(charged_without_a_run().in_another(
                  "600 answered operation=claim_due took=1000200\n")),
              "");
    EXPECT_EQ(broken(charged_without_a_run("515").in_another(w2_knows)), "");
}

TEST(checker_test, nothing_is_removed_that_has_not_ended) {
    EXPECT_EQ(broken(told().without(m1_row).add("800 delivery process=w1" + m1_delivery +
                                                "from=pending to=none")),
              "I10");
    EXPECT_EQ(broken(told().without("900 handled")), "I10");
}

TEST(checker_test, a_death_raises_one_alert) {
    EXPECT_EQ(broken(told().without("900 alert")), "I11");
    EXPECT_EQ(broken(told().replace("cycle=1 times=1", "cycle=1 times=2")), "I11");
}

}  // namespace
}  // namespace postrider::chaos
