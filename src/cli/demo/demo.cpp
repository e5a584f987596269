#include "cli/demo/demo.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <thread>

#include "base/json/json.hpp"
#include "cli/demo/demo_broker.hpp"
#include "cli/demo/demo_shop.hpp"
#include "cli/demo/demo_staff.hpp"
#include "cli/demo/demo_story.hpp"
#include "pg/connection.hpp"

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

constexpr auto between_sales = 60ms;  // three messages each: 50 a second

struct state {
    std::int64_t published;
    std::int64_t delivered;
    std::int64_t backlog;
    std::int64_t retrying;
    std::int64_t dead;
    std::int64_t held;
};

state look(pg::connection& session, const tally& counts) {
    const auto row = session.exec(
        "select count(*) filter (where status = 'pending' and attempts = 0),"
        " count(*) filter (where status = 'pending' and attempts > 0),"
        " count(*) filter (where status = 'failed'),"
        " (select count(*) from postrider.handlers where circuit_state <> 'closed')"
        " from postrider.outbox where status in ('pending', 'failed') and deleted_at is null");
    return {counts.published,
            counts.delivered,
            row.get<std::int64_t>(0, 0),
            row.get<std::int64_t>(0, 1),
            row.get<std::int64_t>(0, 2),
            row.get<std::int64_t>(0, 3)};
}

void print(const state& now, std::int64_t rate, bool json) {
    if (json) {
        fmt::print("{}\n", json_object()
                               .add("published", now.published)
                               .add("delivered", now.delivered)
                               .add("backlog", now.backlog)
                               .add("retrying", now.retrying)
                               .add("dead", now.dead)
                               .add("held", now.held)
                               .add("rate", rate)
                               .text());
    } else {
        const bool terminal = ::isatty(STDOUT_FILENO) == 1;
        fmt::print(
            "{}published {}  delivered {}  backlog {}  retrying {}  dead {}  held {}  {}/s{}",
            terminal ? "\r\033[K" : "", now.published, now.delivered, now.backlog, now.retrying,
            now.dead, now.held, rate, terminal ? "" : "\n");
    }
    std::fflush(stdout);
}

/// Publishes orders until the signal. A failure is passed to the thread that waits for it.
class salesman {
  public:
    salesman(shop& where, const stop_signal& stop)
        : thread_([this, &where, &stop] {
              try {
                  while (!stop.wait_for(between_sales)) {
                      where.sell();
                  }
              } catch (...) {
                  failure_ = std::current_exception();
                  ::kill(::getpid(), SIGTERM);  // a failure of this thread ends the whole demo
              }
          }) {}
    void finish() {
        thread_.join();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

  private:
    std::exception_ptr failure_;
    std::jthread thread_;
};

void show(pg::connection& session, const tally& counts, story& told, const stop_signal& stop,
          bool json) {
    std::int64_t delivered = 0;
    while (!stop.wait_for(1s)) {
        told.go_on(session);
        const auto now = look(session, counts);
        print(now, now.delivered - delivered, json);
        delivered = now.delivered;
    }
    if (!json && ::isatty(STDOUT_FILENO) == 1) {
        fmt::print("\n");
    }
}

void introduce(const std::string& broker) {
    if (!broker.empty()) {
        fmt::print("consumers receive from stream SHOP of {}; a relay brings messages to it\n",
                   broker);
    }
    fmt::print(
        "a small shop: 50 messages a second for four consumers; mail goes down and comes "
        "back,\na shelf breaks, and some orders are invalid. Inspect it with `postrider top`,\n"
        "`postrider dead-letters groups`, `postrider handlers`, `postrider replay list`\n");
}

}  // namespace

void run(const demo_options& options, const stop_signal& stop) {
    tally counts;
    incidents going_on;
    std::optional<broker_side> behind;
    if (!options.broker.empty()) {
        behind.emplace(options.broker, options.broker_directory, options.database);
        behind->start();
    }
    staff consuming(options.database, counts, going_on, behind ? &*behind : nullptr);
    shop selling(options.database, counts);
    pg::connection session(options.database);
    consuming.start();
    if (!options.json) {
        introduce(behind ? behind->url() : "");
    }
    salesman seller(selling, stop);
    try {
        story told(going_on);
        show(session, counts, told, stop, options.json);
    } catch (...) {
        ::kill(::getpid(), SIGTERM);
        throw;
    }
    seller.finish();
    consuming.stop();
    if (behind) {
        behind->stop();
    }
}

}  // namespace postrider::cli::demo
