#include "chaos/conductor.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>

#include "chaos/faults/breaking.hpp"
#include "chaos/record/dump.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// Ctrl-C must not leave a running server or a mounted file system behind.
volatile std::sig_atomic_t interrupted = 0;

void stop_when_interrupted() {
    if (interrupted != 0) {
        throw std::runtime_error("interrupted");
    }
}

struct active_fault {
    int number;
    const fault* kind;
    instant ends;
    fault::undo undo;
};

class progress {
  public:
    progress(bool quiet, std::chrono::seconds length)
        : shown_(!quiet && ::isatty(STDERR_FILENO) != 0), quiet_(quiet), length_(length) {}
    ~progress() { clear(); }

    void step(milliseconds elapsed, const std::string& text) {
        if (!shown_ || elapsed < next_) {
            return;
        }
        next_ = elapsed + 200ms;
        constexpr int width = 30;
        const auto part = std::min<std::int64_t>(width, width * elapsed / milliseconds(length_));
        fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3} of {} s  {:<40.40}", "", part, "", width - part,
                   elapsed / 1s, length_.count(), text);
        std::fflush(stderr);
    }
    void say(milliseconds elapsed, const std::string& text) {
        if (quiet_) {
            return;
        }
        clear();
        fmt::print(stderr, "{:6.1f} s  {}\n", static_cast<double>(elapsed.count()) / 1000, text);
        next_ = {};
    }

  private:
    void clear() const {
        if (shown_) {
            fmt::print(stderr, "\r{:80}\r", "");
        }
    }
    bool shown_;
    bool quiet_;
    std::chrono::seconds length_;
    milliseconds next_{0};
};

std::vector<const fault*> choose(const std::vector<std::string>& names, bool broker,
                                 progress& shown) {
    std::vector<const fault*> chosen;
    const auto add = [&](const fault& one) {
        if (one.only_with_broker && !broker) {
            throw std::invalid_argument("the fault " + one.name + " needs --broker nats");
        }
        if (const auto why = one.missing ? one.missing() : std::string{}; !why.empty()) {
            shown.say(0ms, "skipped: " + one.name + ", " + why);
        } else {
            chosen.push_back(&one);
        }
    };
    for (const auto& name : names.empty() ? std::vector<std::string>{"all"} : names) {
        if (name == "all") {
            for (const auto& one : all_faults()) {
                if (!one.only_by_name && (broker || !one.only_with_broker)) {
                    add(one);
                }
            }
        } else if (name != "none") {
            add(find_fault(name));
        }
    }
    return chosen;
}

/// The run itself: begins and ends the planned faults, restarts processes and moves replays.
class fault_runner {
  public:
    fault_runner(testbed& on, std::vector<planned_fault> plan, progress& shown)
        : on_(on), plan_(std::move(plan)), shown_(shown), began_(now()) {}

    void run(std::chrono::seconds length) {
        std::size_t next = 0;
        auto before = elapsed();
        while (elapsed() < length) {
            // A slow start of the server delays the rest of the plan, so that the faults do not
            // come all at once afterwards.
            if (const auto took = elapsed() - before; took > 500ms) {
                late_ += took;
            }
            before = elapsed();
            for (; next < plan_.size() && before - late_ >= plan_[next].at; ++next) {
                begin(plan_[next], static_cast<int>(next) + 1);
            }
            end_due(now());
            stop_when_interrupted();
            on_.tend();
            keep_house();
            shown_.step(elapsed(), last_);
            std::this_thread::sleep_for(10ms);
        }
        end_due(std::numeric_limits<instant>::max());
    }
    milliseconds elapsed() const { return milliseconds((now() - began_) / 1000); }

  private:
    void begin(const planned_fault& planned, int number) {
        last_ = planned.kind->name;
        shown_.say(elapsed(), planned.kind->name + ": " + planned.kind->meaning);
        record said{.kind = "fault_began"};
        on_.log().write(said.add("number", number).add("fault", planned.kind->name));
        random_source random(planned.seed);
        auto undo = planned.kind->begin(on_, random);
        active_.push_back({number, planned.kind, now() + planned.lasts.count() * 1000, undo});
    }
    void end_due(instant until) {
        for (std::size_t i = 0; i < active_.size();) {
            if (active_[i].ends > until) {
                ++i;
                continue;
            }
            const auto over = active_[i];
            active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
            over.undo(on_);
            record said{.kind = "fault_ended"};
            on_.log().write(said.add("number", over.number).add("fault", over.kind->name));
        }
    }
    // Periodic work of operators and timers.
    void keep_house() {
        if (now() < next_house_) {
            return;
        }
        next_house_ = now() + 1'000'000;
        if (on_.server().running()) {
            on_.value("select count(*) from postrider.replay_step()");
        }
    }

    testbed& on_;
    std::vector<planned_fault> plan_;
    progress& shown_;
    instant began_;
    instant next_house_ = 0;
    milliseconds late_{0};
    std::vector<active_fault> active_;
    std::string last_;
};

// Ends all faults, and waits until every message has ended.
void finish(testbed& on, progress& shown, const fault_runner& runner,
            std::chrono::microseconds drain_timeout) {
    on.gate(true).pass();
    on.gate(false).pass();
    on.revive_server();
    if (on.broker() != nullptr) {
        on.broker_gate().pass();
        on.revive_broker();
    }
    // A fault may have failed to undo this because the server was down.
    on.try_sql("alter role chaos_worker connection limit -1");
    on.stop_publishers();
    for (auto& one : on.parts()) {
        if (one.process && one.stopped) {
            one.process->signal(SIGCONT);
            one.stopped = false;
        }
    }
    on.log().write({.kind = "faults_over"});
    shown.say(runner.elapsed(), "all faults have ended; waiting until every message is handled");
    auto deadline = now() + drain_timeout.count();
    auto least = std::numeric_limits<std::int64_t>::max();
    std::string left;
    while (left != "0" && now() < deadline) {
        const auto began = now();
        stop_when_interrupted();
        on.tend();
        on.value("select count(*) from postrider.replay_step()");
        // The messages of a generation are known when its first worker has registered its handlers.
        left = on.value(
            "select (select count(*) from postrider.outbox where status in ('pending',"
            " 'in_flight')) + (select count(*) from postrider.replay where phase in ('canary',"
            " 'running')) + (select count(*) from postrider.consumer where handlers = '{}'"
            " and channel like 'outbox\\_gen\\_%')");
        // Messages in the broker may still fail, and are then stored in the database.
        if (const auto behind = left == "0" ? on.left_in_broker() : 0; behind != 0) {
            left = std::to_string(behind);
        }
        shown.step(runner.elapsed(), "unhandled messages: " + left);
        // After a long run many may be left; the wait goes on while their number falls.
        if (const auto count = std::strtoll(left.c_str(), nullptr, 10);
            !left.empty() && count < least) {
            least = count;
            deadline = now() + drain_timeout.count();
        }
        // With many messages the query is expensive, and must not slow the server down.
        std::this_thread::sleep_for(
            std::max<std::chrono::microseconds>(100ms, std::chrono::microseconds(now() - began)));
    }
    record said{.kind = left == "0" ? "drained" : "not_drained"};
    on.log().write(said.add("left", left));
}

}  // namespace

void conduct(run_options options) {
    for (const int number : {SIGINT, SIGTERM}) {
        std::signal(number, [](int) { interrupted = 1; });
    }
    progress shown(options.quiet, options.length);
    const auto kinds = choose(options.faults, options.on.broker, shown);
    for (const auto* one : kinds) {
        options.on.full_disk = options.on.full_disk || one->name == "disk_full";
        options.on.standby = options.on.standby || one->name == "promote";
    }
    break_before_start(options.broken, options.on);
    testbed on(options.on);
    record said{.kind = "begins"};
    on.log().write(said.add("seed", static_cast<std::int64_t>(options.on.seed))
                       .add("seconds", options.length.count()));
    on.open();
    break_database(options.broken, on);
    fault_runner runner(on, plan_faults(options.on.seed, options.length, kinds), shown);
    runner.run(options.length);
    finish(on, shown, runner, options.drain_timeout);
    on.stop_workers();
    history to(options.on.directory / "dump.history");
    dump_database(on.session(), to);
}

}  // namespace postrider::chaos
