#include "cli/demo/demo_story.hpp"

#include <postrider/error.hpp>

#include "store/operate/replays.hpp"

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

constexpr auto act = 60s;           // period of the simulated failures
constexpr auto outage_begins = 2s;  // within an act …
constexpr auto outage_ends = 25s;
constexpr auto repair = 7s;
constexpr auto shelf_holds = 15s;
constexpr auto proposal = 9s;

// False when there is no dead letter of this error class yet.
template <typename Start>
bool replays_something(const Start& start) {
    try {
        start();
        return true;
    } catch (const error& problem) {
        if (problem.code() != errc::message_not_found) {
            throw;
        }
        return false;
    }
}

}  // namespace

bool story::is_time(std::chrono::seconds first, int done) const {
    return clock::now() - began_ >= first + done * act;
}

void story::go_on(pg::connection& session) {
    const auto within = (clock::now() - began_) % std::chrono::nanoseconds(act);
    going_on_.mail_is_down = within >= outage_begins && within < outage_ends;
    if (is_time(repair, repairs_) && repair_the_shelf(session)) {
        ++repairs_;
    }
    if (clock::now() >= shelf_breaks_at_) {
        going_on_.shelf_is_broken = true;
        shelf_breaks_at_ = clock::time_point::max();
    }
    // Only once: it waits for the approval of the user.
    if (!proposed_ && is_time(proposal, 0)) {
        proposed_ = ask_for_a_replay(session);
    }
    store::replay_step(session);
}

bool story::repair_the_shelf(pg::connection& session) {
    going_on_.shelf_is_broken = !replays_something([&] {
        store::replay_start(session, {.filter = R"({"error_class": "no_such_shelf"})",
                                      .why = {"nadia@shop", "shelf 13 was put up again"},
                                      .canary = 1,
                                      .rate = 2.0});
    });
    shelf_breaks_at_ = clock::now() + shelf_holds;
    return !going_on_.shelf_is_broken;
}

bool story::ask_for_a_replay(pg::connection& session) {
    // As another database user, if possible: the user could not approve their own proposal.
    const auto call_oneself = [&](const char* user) {
        session.exec_params(
            "select pg_catalog.set_config('session_authorization',"
            " coalesce(nullif($1::text, ''), current_setting('postrider.visitor')), false)"
            " from pg_catalog.pg_roles where rolname = session_user and (rolsuper or $1 = '')",
            pg::params(user));
    };
    session.exec("select pg_catalog.set_config('postrider.visitor', session_user, false)");
    call_oneself("postrider_agent");
    const bool asked = replays_something([&] {
        store::replay_propose(
            session, {.filter = R"({"error_class": "bad_amount"})",
                      .why = {"agent:night-watch for nadia@shop",
                              "release 2.3 of billing reads these amounts; please look at it"},
                      .canary = 1});
    });
    call_oneself("");
    return asked;
}

}  // namespace postrider::cli::demo
