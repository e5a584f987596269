// worker_program <database>: a worker process for tests that kill it. Works until SIGTERM for the
// consumer office: plain.* leaves a row in `run` for every run, book.* one in `effect` with its
// commit, poison.* kills the process, and keyed.* leaves its payload in `change`; a payload with
// "fails" is transient or terminal, as it says. Says `started` when it works.
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

void work(const std::string& database) {
    postrider::worker_options options;
    options.sink = std::make_shared<telling>();
    options.database = database;
    options.consumer = "office";
    options.concurrency = 4;
    options.heartbeat_timeout = 1s;
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
        [&](const postrider::event& e) {
            thread_local postrider::pg::connection session(database);
            session.exec_params("insert into public.change (change) values ($1)",
                                postrider::pg::params(e.payload()));
            const auto text = std::string(e.payload());
            return text.find("transient") != std::string::npos  ? postrider::transient("test")
                   : text.find("terminal") != std::string::npos ? postrider::terminal("test")
                                                                : postrider::delivered();
        },
        soon);
    office.on(
        "poison.*", "office.poison", [](const postrider::event&) { std::raise(SIGKILL); }, soon);
    office.run();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: worker_program <database>\n", stderr);
        return 64;
    }
    try {
        work(argv[1]);
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "worker_program: %s\n", problem.what());
        return 1;
    }
}
