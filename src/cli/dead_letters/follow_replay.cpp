#include "cli/dead_letters/follow_replay.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/json/json.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/progress_bar.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/stop_signal.hpp"
#include "store/reads/views.hpp"

namespace postrider::cli {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto look_every = milliseconds(100);

class progress {
  public:
    explicit progress(bool wanted) : shown_(wanted && is_terminal(STDERR_FILENO)) {}
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { end(); }

    void end() {
        if (std::exchange(shown_, false)) {
            say("\r\x1b[K");
        }
    }

    void show(const store::replay_standing& now) const {
        if (!shown_) {
            return;
        }
        const int ended = now.delivered + now.failed + now.skipped + now.cancelled;
        say("\r\x1b[K{}",
            bar_line(
                fmt::format("{:<7} ", now.phase),
                now.total == 0 ? 1 : static_cast<double>(ended) / now.total,
                fmt::format(" {} of {}{}", thousands(ended), thousands(now.total),
                            now.failed > 0 ? ", " + thousands(now.failed) + " died again" : "")));
        std::fflush(stderr);
    }

  private:
    bool shown_;
};

void print_outcome(const context& shared, std::int64_t replay, const store::replay_standing& now) {
    if (shared.json) {
        fmt::print("{}\n", json_object()
                               .add("replay", replay)
                               .add("phase", now.phase)
                               .add("total", now.total)
                               .add("waiting", now.waiting)
                               .add("moved", now.moved)
                               .add("delivered", now.delivered)
                               .add("failed", now.failed)
                               .add("skipped", now.skipped)
                               .add("cancelled", now.cancelled)
                               .text());
        return;
    }
    fmt::print("replay {} {}: {}\n", replay,
               now.phase == "finished" || now.phase == "cancelled" ? "has " + now.phase
                                                                   : "is " + now.phase,
               outcome_line(now));
}

void advise(const context& shared, pg::connection& session, std::int64_t replay,
            const store::replay_standing& now) {
    if (shared.json) {
        return;
    }
    std::fflush(stdout);
    if (now.phase == "paused") {
        say("paused: {}\n", printable(store::replay(session, replay).text(0, "paused_reason")));
        say("  postrider replay status {0} --items failed\n"
            "  postrider replay resume {0} --reason …   runs the rest anyway\n"
            "  postrider replay cancel {0} --reason …   leaves the rest dead\n",
            replay);
    } else if (now.phase == "proposed") {
        say("waiting for approval: `postrider replay approve {} --reason …`\n", replay);
    } else if (now.failed > 0) {
        say("failed items: postrider replay status {} --items failed\n", replay);
    }
}

// Time until the next step: zero while there are items to move.
milliseconds pause_after(const std::vector<store::replay_moved>& steps, milliseconds cost) {
    const bool more = std::ranges::any_of(steps, [](const store::replay_moved& step) {
        return step.moved > 0 && step.again_in && step.again_in->count() == 0;
    });
    // Counting the items of a large replay is expensive.
    return more ? milliseconds(0) : std::max<milliseconds>(look_every, cost * 4);
}

}  // namespace

std::string outcome_line(const store::replay_standing& standing) {
    auto line = fmt::format("{} delivered, {} died again", thousands(standing.delivered),
                            thousands(standing.failed));
    const auto add = [&](int count, std::string_view label) {
        if (count > 0) {
            line += fmt::format(", {} {}", thousands(count), label);
        }
    };
    add(standing.moved, "running");
    add(standing.waiting, "waiting");
    add(standing.cancelled, "cancelled");
    add(standing.skipped, "skipped: " + standing.notes);
    return line;
}

int follow_replay(const context& shared, pg::connection& session, std::int64_t replay,
                  std::optional<std::chrono::seconds> timeout) {
    const stop_signal stop;
    const auto began = clock::now();
    progress bar(!shared.json);
    while (true) {
        const auto looked = clock::now();
        const auto steps = store::replay_step(session, replay);
        const auto now = store::replay_status(session, replay);
        const auto cost = std::chrono::ceil<milliseconds>(clock::now() - looked);
        bar.show(now);
        if (now.ended() || now.phase == "paused" || now.phase == "proposed") {
            bar.end();
            print_outcome(shared, replay, now);
            advise(shared, session, replay, now);
            return now.phase == "finished" && now.failed == 0 ? 0 : not_done_exit;
        }
        const bool too_long = timeout && clock::now() - began >= *timeout;
        if (too_long || stop.wait_for(pause_after(steps, cost))) {
            bar.end();
            print_outcome(shared, replay, now);
            std::fflush(stdout);
            say("replay {0} continues in the workers; `postrider replay status {0} --wait` follows "
                "it, `postrider replay pause {0} --reason …` stops it\n",
                replay);
            return too_long ? too_long_exit : interrupted_exit;
        }
    }
}

}  // namespace postrider::cli
