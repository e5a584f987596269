// Random histories of unique jobs: publishes, runs, failures, lost workers, cancellations, replays.
// At every step a key has at most one holder, and is held exactly while its job has not ended.
// POSTRIDER_SEED repeats one history.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <postrider/error.hpp>
#include <vector>

#include "property/random_source.hpp"
#include "support/test_database.hpp"

namespace postrider::test {
namespace {

constexpr int steps = 120;
constexpr int histories = 4;

/// One consumer with a few workers, and keys that collide often.
class unique_world {
  public:
    explicit unique_world(std::uint64_t seed) : chance_(seed) {
        for (int i = 0; i < 3; ++i) {
            workers_.push_back(register_worker());
        }
    }

    /// Replaces a part of a function, to test that the checks detect it.
    void mutate(const std::string& function, const std::string& from, const std::string& to) {
        auto text = value("select pg_get_functiondef('postrider." + function + "'::regproc)");
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << function << " has changed: it lacks " << from;
        session_.exec(text.replace(at, from.size(), to));
    }

    /// One random step; the promise that is broken after it.
    std::optional<std::string> step() {
        switch (chance_.below(10)) {
            case 0:
            case 1:
            case 2:
                if (const auto wrong = publish()) {
                    return wrong;
                }
                break;
            case 3:
            case 4:
                value("select count(*) from postrider.claim('" + worker() + "', " +
                      std::to_string(chance_.between(1, 3)) + ")");
                break;
            case 5:
            case 6:
                settle();
                break;
            case 7:
                run_due();
                break;
            case 8:
                lose_worker();
                break;
            default:
                operate();
        }
        return broken();
    }

  private:
    std::string value(const std::string& sql) {
        const auto rows = session_.exec(sql);
        return rows.empty() ? "" : std::string(rows.text(0, 0));
    }
    const std::string& worker() { return chance_.pick(workers_); }

    std::string register_worker() {
        const auto id = chance_.uuid();
        session_.exec("select postrider.register_worker('" + id +
                      "', 'jobs', '[{\"name\": \"jobs.all\", \"event_types\": [\"*\"],"
                      " \"retry\": {\"curve\": \"immediate\"}, \"max_attempts\": 3,"
                      " \"circuit\": {\"failures\": 0}}]')");
        return id;
    }

    std::optional<std::string> publish() {
        static const std::vector<std::string> scopes{"until_started", "until_finished", "serial"};
        const auto key = std::string(1, static_cast<char>('a' + chance_.below(3)));
        // One scope per key: only serial jobs wait for a serial job that runs.
        const auto& scope = scopes[static_cast<std::size_t>(key[0] - 'a')];
        const bool held = value(
                              "select count(*) from postrider.unique_job where place = 'first'"
                              " and key = '" +
                              key + "'") != "0";
        const bool commits = chance_.percent(80);
        session_.exec("begin");
        const bool duplicate =
            value("select duplicate from postrider.publish_unique('x', 'jobs', '" + key + "', '" +
                  scope + "')") == "t";
        session_.exec(commits ? "commit" : "rollback");
        return duplicate == held ? std::nullopt
                                 : std::optional<std::string>(held ? "a second holder of " + key
                                                                   : "a duplicate of none");
    }
    std::string outcome() {
        static const std::vector<std::string> all{"delivered", "delivered", "transient",
                                                  "terminal",  "snooze",    "interrupted"};
        return chance_.pick(all);
    }
    void settle() {
        session_.exec(
            "select postrider.settle(l.worker_id, l.id, l.token, '{}', jsonb_build_array("
            "jsonb_build_object('seq', l.members[1], 'outcome', '" +
            outcome() +
            "'))) from postrider.lease l where l.finished_at is null and l.worker_id = '" +
            worker() + "' order by l.id limit 1");
    }
    void run_due() {
        const auto& by = worker();
        session_.exec("select postrider.settle_due('" + by +
                      "', (select coalesce(jsonb_agg(jsonb_build_object('delivery', delivery_id,"
                      " 'token', lease_token, 'outcome', '" +
                      outcome() + "')), '[]') from postrider.claim_due('" + by + "', 1)))");
    }
    void lose_worker() {
        const auto lost = chance_.below(3);
        session_.exec("update postrider.worker set alive_until = '-infinity' where id = '" +
                      workers_[static_cast<std::size_t>(lost)] + "'");
        session_.exec("select postrider.reap()");
        workers_[static_cast<std::size_t>(lost)] = register_worker();
    }
    void operate() {
        static const std::vector<std::string> acts{
            "select postrider.cancel(jsonb_build_object('ids', jsonb_build_array(o.id)), 'test',"
            " 'a test') from (select id from postrider.outbox where status in ('pending',"
            " 'in_flight') order by md5(id::text || $) limit 1) o",
            "select postrider.discard(jsonb_build_object('ids', jsonb_build_array(o.id)), 'test',"
            " 'a test') from (select id from postrider.dead_letters order by md5(id::text || $)"
            " limit 1) o",
            "select postrider.bury(array[o.id], 'test', 'a test') from (select id from"
            " postrider.delivery where status = 'pending' order by md5(id::text || $) limit 1) o",
            "select postrider.outbox_replay(o.id, null, 'test') from (select d.id from"
            " postrider.dead_letters d where not exists (select from postrider.unique_job u join"
            " postrider.delivery e on e.unique_key = u.key where e.message_id = d.id) order by"
            " md5(d.id::text || $) limit 1) o"};
        auto sql = chance_.pick(acts);
        const auto at = sql.find('$');
        sql.replace(at, 1, "'" + std::to_string(chance_.below(1000)) + "'");
        session_.exec(sql);
    }

    std::optional<std::string> broken() {
        const auto found = value(
            "with job as (select o.status, m.unique_key as key, m.unique_scope as scope, m.id"
            " from postrider.outbox o join postrider.message m on m.id = o.id"
            " where o.status in ('pending', 'in_flight'))"
            " select string_agg(violation, '; ') from ("
            "select 'held by a job that has ended: ' || u.key as violation"
            " from postrider.unique_job u where not exists (select from job j where j.id = "
            "u.message_id)"
            " union all select 'not held by its open job: ' || j.key from job j where j.scope in"
            " ('until_finished', 'serial') and not exists (select from postrider.unique_job u"
            " where u.message_id = j.id)"
            " union all select 'two open jobs: ' || j.key from job j where j.scope ="
            " 'until_finished' group by j.key having count(*) > 1"
            " union all select 'two serial jobs run: ' || j.key from job j where j.scope = 'serial'"
            " and j.status = 'in_flight' group by j.key having count(*) > 1"
            " union all select 'more than one serial job waits: ' || j.key from job j where"
            " j.scope = 'serial' group by j.key having count(*) > 2"
            " union all select 'held though it was started: ' || j.key from job j join"
            " postrider.unique_job u on u.message_id = j.id where j.scope = 'until_started' and"
            " j.status = 'in_flight') w");
        return found.empty() ? std::nullopt : std::optional(found);
    }

    random_source chance_;
    test_database database_;
    pg::connection session_ = database_.connect();
    std::vector<std::string> workers_;
};

std::optional<std::string> run(unique_world& world) {
    for (int step = 0; step < steps; ++step) {
        try {
            if (const auto wrong = world.step()) {
                return "step " + std::to_string(step) + ": " + *wrong;
            }
        } catch (const error& problem) {
            return "step " + std::to_string(step) + ": " + problem.what();
        }
    }
    return std::nullopt;
}

TEST(unique_property, a_key_has_one_holder_exactly_while_its_job_has_not_ended) {
    const char* wanted = std::getenv("POSTRIDER_SEED");
    const auto first = wanted == nullptr ? 1 : std::strtoull(wanted, nullptr, 10);
    for (auto seed = first; seed < first + (wanted == nullptr ? histories : 1); ++seed) {
        unique_world world(seed);
        const auto wrong = run(world);
        ASSERT_FALSE(wrong) << "seed " << seed << ", " << *wrong;
    }
}

/// Whether one of the histories notices that a part of the engine is broken.
bool noticed_in_histories(const char* function, const char* from, const char* to) {
    for (std::uint64_t seed = 1; seed <= histories; ++seed) {
        unique_world world(seed);
        world.mutate(function, from, to);
        if (run(world)) {
            return true;
        }
    }
    return false;
}

TEST(unique_property, a_key_that_is_released_too_early_is_noticed) {
    EXPECT_TRUE(
        noticed_in_histories("release_keys", "d.status in ('pending', 'in_flight')", "false"));
}

TEST(unique_property, a_key_that_is_not_released_is_noticed) {
    EXPECT_TRUE(noticed_in_histories("conclude_others", "d.status <> 'pending' then d.seq",
                                     "d.status = 'delivered' then d.seq"));
}

TEST(unique_property, a_serial_job_that_does_not_wait_is_noticed) {
    EXPECT_TRUE(noticed_in_histories("start_serial", "if found then", "if false then"));
}

}  // namespace
}  // namespace postrider::test
