// A worker of a server whose clock is set: by hours, by days, forwards and back.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <random>

#include "fault/own_server.hpp"
#include "support/eventually.hpp"
#include "support/faults/faked_clock.hpp"

namespace postrider::test {
namespace {

using namespace std::chrono_literals;

class worker_clock : public own_server {
  protected:
    worker_clock() : own_server(false) {}
    void SetUp() override {
        if (!faked_clock::available()) {
            GTEST_SKIP() << "the package libfaketime is not installed";
        }
        clock.set(usual);
        clock.run([this] { server.start(); });
        prepare();
    }
    // By how many seconds the server's clock is ahead of ours.
    double ahead() const {
        const std::chrono::duration<double> now =
            std::chrono::system_clock::now().time_since_epoch();
        return std::stod(value("select extract(epoch from clock_timestamp())")) - now.count();
    }
    void set_clock(std::chrono::hours step) {
        clock.set(usual + step);
        ASSERT_NEAR(ahead(), std::chrono::duration<double>(usual + step).count(), 60);
    }
    void publish(pg::connection& session, int count) {
        own_server::publish(session, count);
        published += count;
    }
    void publish(int count) {
        pg::connection session(server.conninfo());
        publish(session, count);
    }
    // Everything has had its effect, once.
    void expect_effects(const char* when) {
        const auto all = std::to_string(published) + " of " + std::to_string(published);
        EXPECT_TRUE(eventually([&] {
            return value("select count(distinct key) || ' of ' || count(*) from effect") == all;
        })) << when
            << ": " << value("select count(distinct key) || ' of ' || count(*) from effect")
            << " instead of " << all;
    }

    // Messages that had their effect or wait for their next run, which takes longer when the clock
    // was set back.
    int seen() {
        return std::stoi(
            value("select (select count(distinct key) from effect) + (select count(*)"
                  " from postrider.delivery d where d.status <> 'delivered'"
                  " and not exists (select from effect where key = d.message_id::text))"));
    }

    // Always behind ours: PostgreSQL looks for timeouts in a signal handler, where libfaketime may
    // give the real time, and one ahead of it would put them off.
    static constexpr std::chrono::hours usual{-2000};

    faked_clock clock{place.path() / "clock"};
    int published = 0;
};

TEST_F(worker_clock, messages_published_before_the_clock_was_set_back_are_delivered) {
    {
        // This worker reads the log with the correct clock.
        worker early(options());
        add_handler(early).start();
        publish(2);
        expect_effects("at first");
    }
    pg::connection slow(server.conninfo());
    set_clock(3h);
    publish(5);
    slow.exec("begin");
    publish(slow, 1);
    set_clock(72h);
    publish(5);
    set_clock(-72h);
    publish(5);
    set_clock(0h);
    worker office(options());
    add_handler(office).start();
    published -= 1;
    expect_effects("after the clock was set back");
    slow.exec("commit");
    published += 1;
    expect_effects("of a transaction that was open meanwhile");
}

TEST_F(worker_clock, a_worker_goes_on_while_the_clock_is_set) {
    worker office(options());
    add_handler(office).start();
    publish(5);
    expect_effects("at first");
    for (const auto step : {3h, 0h, 100h, -3h, -100h, 0h}) {
        pg::connection slow(server.conninfo());
        slow.exec("begin");
        publish(slow, 1);
        publish(3);
        set_clock(step);
        publish(3);
        published -= 1;
        expect_effects("with the clock set");
        slow.exec("commit");
        published += 1;
        expect_effects("of a transaction that was open meanwhile");
    }
}

// Transactions that stay open for a while, workers that start and stop, and a clock that is set to
// random times. POSTRIDER_SEED selects another sequence.
TEST_F(worker_clock, no_message_is_lost_at_any_time_of_the_clock) {
    const char* wanted = std::getenv("POSTRIDER_SEED");
    std::mt19937_64 random(wanted == nullptr ? 1 : std::strtoull(wanted, nullptr, 10));
    const auto below = [&](int sides) { return static_cast<int>(random() % unsigned(sides)); };
    const auto anywhen = [&] {
        static constexpr std::array reach{2, 30, 300};
        const auto most = reach[static_cast<std::size_t>(below(3))];
        return std::chrono::hours(below(4) == 0 ? 0 : below(2 * most) - most);
    };
    std::vector<std::pair<pg::connection, int>> open;  // and how many messages in each
    std::optional<worker> office;
    int uncommitted = 0;
    for (int step = 0; step < 40; ++step) {
        switch (below(6)) {
            case 0:
                set_clock(anywhen());
                break;
            case 1:
                office.reset();
                break;
            case 2:
                add_handler(office.emplace(options())).start();
                break;
            case 3:
                open.emplace_back(pg::connection(server.conninfo()), 1 + below(2));
                open.back().first.exec("begin");
                publish(open.back().first, open.back().second);
                uncommitted += open.back().second;
                break;
            case 4:
                if (!open.empty()) {
                    open.front().first.exec("commit");
                    uncommitted -= open.front().second;
                    open.erase(open.begin());
                }
                break;
            default:
                publish(1 + below(3));
        }
        if (office && below(2) == 0) {
            ASSERT_TRUE(eventually([&] { return seen() == published - uncommitted; }))
                << "in step " << step << ": " << seen() << " of " << published - uncommitted;
        }
    }
    for (auto& [session, count] : open) {
        session.exec("commit");
    }
    set_clock(1000h);
    add_handler(office.emplace(options())).start();
    expect_effects("in the end");
}

}  // namespace
}  // namespace postrider::test
