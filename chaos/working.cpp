#include "chaos/working.hpp"

#include <atomic>
#include <csignal>
#include <postrider/postrider.hpp>
#include <thread>

#include "chaos/broker.hpp"
#include "chaos/record/history.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

class telling : public sink {
  public:
    explicit telling(history& to) : to_(to) {}
    void state_changed(const state_record& said) override {
        record made{.kind = "state"};
        made.add("state", said.state).add("message", said.message);
        to_.write(made);
    }
    /// Records claims of due deliveries and heartbeats that the server answered.
    void figures(const worker_figures& said) override {
        if (said.operation == "claim_due" || said.operation == "heartbeat") {
            record made{.kind = "answered"};
            made.add("operation", said.operation);
            made.add("took", said.operation_time / 1us);
            made.add("listening", said.listening ? 1 : 0).add("keeper", said.keeper ? 1 : 0);
            to_.write(made);
        }
    }

  private:
    history& to_;
};

/// Records one run of a handler.
class run_log {
  public:
    run_log(history& to, const working_options& options) : to_(to), options_(options) {}

    std::int64_t begin(const event& event, const context& ctx) {
        const auto run = ++runs_;
        record made{.kind = "run"};
        made.add("run", run).add("id", event.id()).add("consumer", options_.consumer);
        made.add("handler", ctx.handler()).add("attempt", ctx.attempts()).add("cycle", ctx.cycle());
        // Detects a message that arrives with the payload of another one.
        made.add("is", text_in(event.payload(), "is"));
        if (options_.generation) {
            made.add("generation", *options_.generation);
        }
        to_.write(made);
        return run;
    }
    void end(std::int64_t run, std::string_view outcome) {
        record made{.kind = "ended"};
        made.add("run", run).add("outcome", outcome);
        to_.write(made);
    }
    void effect(const event& event, std::string_view handler) {
        record made{.kind = "effect"};
        made.add("id", event.id()).add("handler", handler).add("key", event.idempotency_key());
        to_.write(made);
    }

  private:
    history& to_;
    const working_options& options_;
    std::atomic<std::int64_t> runs_ = 0;
};

void work_a_little(const event& event) {
    // Between 0 and 4 ms, by the id: most handlers are quick.
    const auto id = event.id();
    std::this_thread::sleep_for(
        std::chrono::milliseconds(static_cast<unsigned char>(id.back()) % 5));
}

outcome behave(const event& event, const context& ctx) {
    if (event.event_type().starts_with("poison.")) {
        std::raise(SIGKILL);
    }
    if (event.event_type().starts_with("hang.")) {
        // Ignores its stop token, far beyond the lease.
        while (now() < number_in(event.payload(), "until")) {
            std::this_thread::sleep_for(20ms);
        }
        return delivered();
    }
    work_a_little(event);
    if (number_in(event.payload(), "terminal") != 0) {
        return terminal("permanent failure");
    }
    if (ctx.attempts() <= number_in(event.payload(), "fail")) {
        return transient("transient failure of attempt " + std::to_string(ctx.attempts()));
    }
    return delivered();
}

handler_options options_of(const role& one, const tempo& times) {
    handler_options made;
    made.retry = {.curve = curve::fixed, .base = 200ms, .floor = 50ms};
    made.max_attempts = one.max_attempts;
    made.max_crashes = one.max_crashes;
    made.timeout = times.timeout;
    made.batch_max = 20;
    return made;
}

void add_handler(worker& to, const role& one, run_log& log, const tempo& times) {
    const event_types types = [&] {
        event_types all(one.types.front());
        all.patterns = one.types;
        return all;
    }();
    const auto options = options_of(one, times);
    if (one.batch) {
        to.on(
            types, one.name,
            [&log](std::span<const event> all, context& ctx) {
                std::vector<std::int64_t> runs;
                for (const auto& event : all) {
                    runs.push_back(log.begin(event, ctx));
                }
                std::this_thread::sleep_for(2ms);
                for (const auto run : runs) {
                    log.end(run, "delivered");
                }
            },
            options);
    } else if (one.transactional) {
        to.on(
            types, one.name,
            [&log, one](const event& event, transaction& tx, context& ctx) {
                tx.exec("insert into chaos.effect (consumer, handler, key) values ($1, $2, $3)",
                        one.consumer, one.name, event.idempotency_key());
                log.effect(event, one.name);
                return behave(event, ctx);
            },
            options);
    } else {
        to.on(
            types, one.name,
            [one](const event& event, context& ctx) {
                std::this_thread::sleep_for(one.takes);
                return behave(event, ctx);
            },
            options);
    }
}

// Wraps every run except those of batches, commit included.
outcome write_down(run_log& log, const event& event, context& ctx,
                   const std::function<outcome()>& next) {
    const auto run = log.begin(event, ctx);
    try {
        auto how = next();
        log.end(run, to_string(how.kind));
        return how;
    } catch (const commit_unknown_error&) {
        log.end(run, "in_doubt");
        throw;
    } catch (const std::exception&) {
        log.end(run, "transient");
        throw;
    }
}

void add_handlers(worker& to, const working_options& options, run_log& log) {
    if (options.consumer == relay_consumer) {
        add_relay(to, options.broker);
        return;
    }
    if (options.generation) {
        const role task{.consumer = options.consumer,
                        .name = options.consumer + ".task",
                        .types = {std::string(generation_types)}};
        add_handler(to, task, log, options.tempo);
        return;
    }
    for (const auto* some : {&roles(), &branch_roles()}) {
        for (const auto& one : *some) {
            if (one.consumer == options.consumer) {
                add_handler(to, one, log, options.tempo);
            }
        }
    }
}

}  // namespace

int run_worker(const working_options& options) {
    const bool behind_broker = options.consumer == branch_consumer;
    history to(options.directory + "/" + options.name + ".history");
    run_log log(to, options);
    record said{.kind = "works"};
    said.add("consumer", options.consumer).add("threads", worker_threads);
    to.write(said.add("channel", behind_broker        ? std::string("broker")
                                 : options.generation ? channel_of(*options.generation)
                                                      : std::string("outbox_default")));
    worker_options made;
    made.database = options.database;
    made.consumer = options.consumer;
    made.concurrency = worker_threads;
    made.generation = options.generation;
    made.batch_max = 50;
    made.in_flight_max = 200;
    made.heartbeat_timeout = options.tempo.alive_for;
    made.shutdown_timeout = 3s;
    made.sweep = options.tempo.sweep;
    made.poll = options.tempo.poll;
    made.call_timeout = options.tempo.call_timeout;
    made.sink = std::make_shared<telling>(to);
    if (options.consumer == ordered_consumer) {
        made.ordering = ordering_policy::hold_for(options.tempo.hold_for);
    }
    if (behind_broker) {
        made.source = branch_source(options.broker);
    }
    worker office(made);
    office.use([&log](const event& event, context& ctx, const std::function<outcome()>& next) {
        return write_down(log, event, ctx, next);
    });
    add_handlers(office, options, log);
    office.run();
    return 0;
}

}  // namespace postrider::chaos
