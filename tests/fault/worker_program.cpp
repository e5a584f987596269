// worker_program <database> [hold | skip | hold_for]: a worker process for tests that kill it.
// Works until SIGTERM for the consumer office: plain.* leaves a row in `run` for every run, book.*
// one in `effect` with its commit, poison.* kills the process, and keyed.* leaves its payload in
// `change`; a payload with "fails" is terminal, or transient for three attempts, as it says. With a
// policy the consumer is ordered. Says `started` when it works.
#include <csignal>
#include <cstdio>
#include <postrider/postrider.hpp>
#include <string>

#include "pg/connection.hpp"

namespace {

using namespace std::chrono_literals;

class telling : public postrider::sink {
  public:
    void state_changed(const postrider::state_record& record) override {
        std::puts(std::string(record.state).c_str());
        std::fflush(stdout);
    }
};

std::optional<postrider::ordering_policy> policy(std::string_view name) {
    using postrider::ordering_policy;
    return name == "hold"       ? std::optional(ordering_policy::hold())
           : name == "skip"     ? std::optional(ordering_policy::skip())
           : name == "hold_for" ? std::optional(ordering_policy::hold_for(2s))
                                : std::nullopt;
}

void work(const std::string& database, std::string_view ordering) {
    postrider::worker_options options;
    options.sink = std::make_shared<telling>();
    options.database = database;
    options.consumer = "office";
    options.concurrency = 4;
    options.heartbeat_timeout = 1s;
    options.ordering = policy(ordering);
    postrider::handler_options soon;
    soon.retry = {.curve = postrider::curve::fixed, .base = 1ms, .floor = 0ms};
    soon.max_attempts = 10;
    postrider::worker office(options);
    office.on(
        "plain.*", "office.plain",
        [&](const postrider::event& e) {
            thread_local postrider::pg::connection session(database);
            session.exec("insert into public.run values ('" + std::string(e.id()) + "')");
        },
        soon);
    office.on(
        "book.*", "office.book",
        [](const postrider::event& e, postrider::transaction& tx) {
            tx.exec("insert into effect values ($1)", e.id());
        },
        soon);
    office.on(
        "keyed.*", "office.keyed",
        [&](const postrider::event& e, postrider::context& run) {
            thread_local postrider::pg::connection session(database);
            session.exec_params("insert into public.change (change) values ($1)",
                                postrider::pg::params(e.payload()));
            const auto text = std::string(e.payload());
            if (text.find("terminal") != std::string::npos) {
                return postrider::terminal("test");
            }
            return text.find("transient") != std::string::npos && run.attempts() <= 3
                       ? postrider::transient("test")
                       : postrider::delivered();
        },
        soon);
    office.on(
        "poison.*", "office.poison", [](const postrider::event&) { std::raise(SIGKILL); }, soon);
    office.run();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: worker_program <database> [hold | skip | hold_for]\n", stderr);
        return 64;
    }
    try {
        work(argv[1], argc > 2 ? argv[2] : "");
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "worker_program: %s\n", problem.what());
        return 1;
    }
}
