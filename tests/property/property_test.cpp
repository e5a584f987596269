// Random histories compared with a model. POSTRIDER_SEED repeats one of them,
// POSTRIDER_PROPERTY_SECONDS runs new ones for this time.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "property/run.hpp"

namespace postrider::test {
namespace {

constexpr int steps_of_a_run = 300;
constexpr int seconds_by_default = 15;

TEST(property_test, the_outbox_always_agrees_with_the_model) {
    const char* wanted = std::getenv("POSTRIDER_SEED");
    const char* seconds = std::getenv("POSTRIDER_PROPERTY_SECONDS");
    const auto deadline =
        std::chrono::steady_clock::now() +
        std::chrono::seconds(seconds == nullptr ? seconds_by_default : std::atoi(seconds));
    // A plain run repeats the same histories, so that it fails only for a change; a long one
    // explores.
    std::uint64_t seed = seconds == nullptr ? 1 : std::random_device{}();
    if (wanted != nullptr) {
        seed = std::strtoull(wanted, nullptr, 10);
    }
    do {
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::fflush(stdout);
        if (const auto found = run_world(seed, first_steps(steps_of_a_run))) {
            FAIL() << explain(seed, *found);
        }
        ++seed;
    } while (wanted == nullptr && std::chrono::steady_clock::now() < deadline);
}

/// Whether one of a few histories shows that a part of the engine is broken. The first one does,
/// after few steps, when the clock and other tests leave it alone.
bool noticed(std::uint64_t first_seed, const mutation& broken) {
    for (std::uint64_t seed = first_seed; seed < first_seed + 10; ++seed) {
        if (const auto found = run_world(seed, first_steps(steps_of_a_run), broken)) {
            std::printf("seed %llu, step %d: %s\n", static_cast<unsigned long long>(seed),
                        found->step, found->problem.c_str());
            EXPECT_FALSE(run_world(seed, first_steps(found->step + 1))) << "not its fault";
            return true;
        }
    }
    return false;
}

TEST(property_test, the_model_notices_a_lost_late_committer) {
    EXPECT_TRUE(noticed(2, {"log_late", "m.xid = x.xid", "m.xid = x.xid and false"}));
}

TEST(property_test, the_model_notices_a_lost_late_committer_that_waits) {
    EXPECT_TRUE(noticed(36, {"waiting_late", "m.xid = x.xid", "m.xid = x.xid and false"}));
}

TEST(property_test, the_model_notices_a_message_that_stops_waiting) {
    EXPECT_TRUE(
        noticed(25, {"take_waiting", "ctid = any (v_rows)",
                     "ctid = any (v_rows) or consumer_id = p_consumer_id and due_at > p_now"}));
}

TEST(property_test, the_model_notices_a_cursor_that_overtakes_open_transactions) {
    EXPECT_TRUE(noticed(36, {"open_segment", "pg_current_snapshot()",
                             "format('%1$s:%1$s:', pg_snapshot_xmax("
                             "pg_current_snapshot()))::pg_snapshot"}));
}

TEST(property_test, the_model_notices_a_settle_without_its_token) {
    EXPECT_TRUE(noticed(3, {"settle", "and token = p_token", ""}));
}

TEST(property_test, the_model_notices_a_stale_token_of_a_delivery) {
    EXPECT_TRUE(noticed(3, {"conclude_others", "and d.lease_token = o.token", ""}));
}

TEST(property_test, the_model_notices_a_member_that_reaping_forgets) {
    EXPECT_TRUE(noticed(3, {"reap", "from unnest(l.members[:v_step]) as s(seq)",
                            "from unnest(l.members[2:]) as s(seq)"}));
}

TEST(property_test, the_model_notices_a_partition_dropped_too_early) {
    EXPECT_TRUE(noticed(2, {"drop_partitions", "dropped := held_by is null", "dropped := true"}));
}

TEST(property_test, the_model_notices_a_handler_that_was_passed_over) {
    EXPECT_TRUE(noticed(3, {"set_aside", "except select unnest(p_mine)", "where false"}));
}

}  // namespace
}  // namespace postrider::test
