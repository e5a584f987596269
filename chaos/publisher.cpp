#include "chaos/publisher.hpp"

#include <atomic>
#include <csignal>
#include <fstream>
#include <optional>
#include <thread>

#include "chaos/roles.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> stopping = false;

void wait_a_while(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    for (auto now = until - time; now < until && !stopping;
         now = std::chrono::steady_clock::now()) {
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(until - now, 20ms));
    }
}

std::chrono::system_clock::time_point later(int milliseconds) {
    return std::chrono::system_clock::now() + std::chrono::milliseconds(milliseconds);
}

std::int64_t micros(std::chrono::system_clock::time_point when) {
    return std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count();
}

// The row lock serialises the transactions that change an account. A session that the network has
// cut off may hold it for long; the others time out.
void publish_keyed(transaction& work, const publishing::plan& plan) {
    work.exec("set local lock_timeout = '500ms'");
    if (plan.early_id) {
        work.exec("select pg_current_xact_id()");
        wait_a_while(5ms);
    }
    for (auto one : plan.messages) {
        const auto changed = work.exec(
            "update chaos.account set version = version + 1 where name = $1 returning version",
            *one.ordering_key);
        one.payload.pop_back();
        one.payload += ", \"version\": " + std::string(changed.text(0, 0)) + "}";
        publish(work, one);
    }
}

void publish_by(transaction& work, const publishing::plan& plan) {
    switch (plan.how) {
        case publishing::way::one_by_one:
            for (const auto& one : plan.messages) {
                publish(work, one);
            }
            break;
        case publishing::way::many:
            publish_many(work, plan.messages);
            break;
        case publishing::way::view:
            for (const auto& one : plan.messages) {
                work.exec(
                    "insert into postrider.outbox (id, event_type, payload, source, target,"
                    " idempotency_key, generation, channel) values ($1, $2, $3, $4, $5, $6, $7,"
                    " $8)",
                    one.id, one.event_type, one.payload, one.source, one.target,
                    one.idempotency_key, one.generation,
                    one.generation ? channel_of(*one.generation) : std::string("outbox_default"));
            }
            break;
        case publishing::way::keyed:
            publish_keyed(work, plan);
            break;
    }
}

// The currently deployed generation; the conductor writes it.
std::int64_t current_generation(const std::string& directory) {
    std::int64_t generation = 0;
    std::ifstream(directory + "/generation") >> generation;
    return generation;
}

/// How long a session keeps its transactions open after it has published.
enum class pace { brief, slow, longest, keyed };

std::chrono::milliseconds pause_of(pace kind, random_source& random,
                                   const publisher_options& options) {
    switch (kind) {
        case pace::brief:
            return random.one_in(3) ? 0ms : 20ms;
        case pace::slow:
            return std::chrono::milliseconds(random.between(50, 800));
        case pace::longest:
            return options.long_transaction;
        case pace::keyed:
            break;  // its plan has the pause
    }
    return 0ms;
}

// Under load the NOTIFY of one message hides that another message had none. In four seconds of
// twelve no publisher begins a transaction; those that are open commit.
void wait_for_busy_time() {
    while (!stopping && now() / 4'000'000 % 3 == 0) {
        wait_a_while(20ms);
    }
}

std::chrono::milliseconds gap_of(pace kind, random_source& random, std::size_t messages,
                                 const publisher_options& options) {
    const int average = static_cast<int>(messages) * 2000 / options.rate;
    if (kind == pace::longest) {
        return 100ms;
    }
    return std::chrono::milliseconds(random.between(0, kind == pace::slow ? 200 : 2 * average));
}

publishing::plan random_plan(random_source& random, std::int64_t generation) {
    publishing::plan made;
    const int count = random.one_in(4) ? random.between(2, 12) : 1;
    for (int i = 0; i < count; ++i) {
        made.messages.push_back(random_message(random, generation));
    }
    if (random.one_in(15)) {
        // Two messages with one idempotency key: one effect.
        for (int i = 0; i < 2; ++i) {
            made.messages.push_back(message_of("book.entry"));
            made.messages.back().idempotency_key = "twice-" + made.messages.front().id;
        }
    }
    if (random.one_in(12)) {
        made.end = publishing::ending::roll_back;
    }
    made.how = static_cast<publishing::way>(random.below(3));
    if (made.how == publishing::way::view) {
        // publish_by() inserts into the view without available_at.
        for (auto& one : made.messages) {
            one.available_at.reset();
        }
    }
    return made;
}

// Changes of one to three accounts, always in the same order, which prevents deadlocks.
publishing::plan keyed_plan(random_source& random) {
    publishing::plan made;
    for (int account = random.between(1, accounts); account <= accounts && made.messages.size() < 3;
         account += random.between(1, accounts)) {
        const int fate = random.below(60);
        made.messages.push_back(message_of("keyed.change", fate == 0  ? R"("terminal": 1)"
                                                           : fate < 6 ? R"("fail": 2)"
                                                                      : ""));
        made.messages.back().ordering_key = "account " + std::to_string(account);
    }
    made.how = publishing::way::keyed;
    made.early_id = random.one_in(2);
    made.end = random.one_in(12) ? publishing::ending::roll_back : publishing::ending::commit;
    made.pause = std::chrono::milliseconds(random.one_in(3) ? random.between(1, 30) : 0);
    return made;
}

// One session that publishes until the end. A slow one keeps its transactions open while others
// begin and commit, so that it commits late.
void keep_publishing(const publisher_options& options, history& to, pace kind) {
    random_source random(options.seed * 4 + static_cast<std::uint64_t>(kind));
    publishing acts(to, options.name + "/" + std::to_string(static_cast<int>(kind)));
    std::optional<connection> on;
    while (!stopping) {
        auto plan = kind == pace::keyed
                        ? keyed_plan(random)
                        : random_plan(random, current_generation(options.directory));
        plan.pause += pause_of(kind, random, options);
        bool worked = false;
        try {
            if (!on) {
                on.emplace(options.database);
            }
            worked = acts.carry_out(*on, plan);
        } catch (const std::exception&) {
            // No connection: nothing was written, nothing was intended.
        }
        if (!worked) {
            on.reset();
            wait_a_while(100ms);
        }
        wait_a_while(gap_of(kind, random, plan.messages.size(), options));
        wait_for_busy_time();
    }
}

}  // namespace

void publishing::write_intents(const plan& planned, const std::string& transaction) {
    for (const auto& one : planned.messages) {
        record intent{.kind = "intent"};
        intent.add("tx", transaction).add("id", one.id).add("type", one.event_type);
        intent.add("key", one.idempotency_key.value_or(one.id));
        intent.add("channel",
                   one.generation ? channel_of(*one.generation) : std::string("outbox_default"));
        if (one.target) {
            intent.add("target", *one.target);
        }
        if (one.generation) {
            intent.add("generation", *one.generation);
        }
        if (one.available_at) {
            intent.add("available_at", micros(*one.available_at));
        }
        to_.write(intent);
    }
}

bool publishing::carry_out(connection& on, const plan& planned) {
    const auto name = process_ + "#" + std::to_string(++transactions_);
    const auto say = [&](const char* kind, std::string_view why = {}) {
        record said{.kind = kind};
        said.add("tx", name);
        if (!why.empty()) {
            said.add("why", why);
        }
        to_.write(said);
    };
    write_intents(planned, name);
    try {
        transaction work(on);
        publish_by(work, planned);
        wait_a_while(planned.pause);
        if (planned.end == ending::roll_back) {
            work.rollback();
            say("rolled_back");
            return true;
        }
        work.commit();
        say("committed");
        return true;
    } catch (const commit_unknown_error& problem) {
        say("in_doubt", problem.what());
    } catch (const std::exception& problem) {
        // Before the commit was sent, or refused by the server: it did not happen.
        say("rolled_back", problem.what());
    }
    return false;
}

message message_of(const std::string& type, const std::string& extra) {
    message made;
    made.id = new_id();
    made.event_type = type;
    made.source = "chaos";
    made.payload = R"({"is": ")" + made.id + R"(", "pad": "0123456789abcdef")" +
                   (extra.empty() ? "" : ", " + extra) + "}";
    return made;
}

message random_message(random_source& random, std::int64_t generation) {
    const int kind = random.below(100);
    if (kind < 45) {
        auto made = message_of("plain.note");
        if (random.one_in(8)) {
            made.target = "office";
        } else if (random.one_in(8)) {
            made.available_at = later(random.between(100, 2500));
        } else if (random.one_in(10)) {
            made.priority = 5;
        }
        return made;
    }
    if (kind < 70) {
        return message_of("book.entry");
    }
    if (kind < 80) {
        return message_of("batch.item");
    }
    if (kind < 90 || generation == 0) {
        // Most are delivered in the end; a few become dead letters, after all attempts or at once.
        const int fate = random.below(10);
        return message_of("flaky.call", fate < 7   ? R"("fail": )" + std::to_string(fate % 3)
                                        : fate < 9 ? R"("fail": 99)"
                                                   : R"("terminal": 1)");
    }
    auto made = message_of("gen.task");
    made.generation = generation;
    return made;
}

int run_publisher(const publisher_options& options) {
    std::signal(SIGTERM, [](int) { stopping = true; });
    history to(options.directory + "/" + options.name + ".history");
    std::thread slow([&] { keep_publishing(options, to, pace::slow); });
    std::thread longest([&] { keep_publishing(options, to, pace::longest); });
    std::thread keyed([&] { keep_publishing(options, to, pace::keyed); });
    keep_publishing(options, to, pace::brief);
    slow.join();
    longest.join();
    keyed.join();
    return 0;
}

}  // namespace postrider::chaos
