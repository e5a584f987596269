#include "cli/demo.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include "base/json.hpp"
#include "cli/demo_shop.hpp"
#include "cli/demo_worker.hpp"

namespace postrider::cli::demo {
namespace {

using namespace std::chrono_literals;

constexpr auto between_sales = 60ms;  // three messages each: 50 a second

std::vector<handler> warehouse() {
    return {{"warehouse.reserve", "order.placed", 30, 1, "shelf 7 is locked by a forklift"}};
}

std::vector<handler> office() {
    return {{"office.book_payment", "payment.captured", 20, 0, "ledger: could not serialize"},
            {"office.send_mail", "mail.requested", 80, 5, "smtp: 451 mailbox busy"}};
}

struct state {
    std::int64_t published;
    std::int64_t delivered;
    std::int64_t waiting;
    std::int64_t retrying;
    std::int64_t dead;
};

state look(pg::connection& session, const tally& counts) {
    const auto row = session.exec(
        "select count(*) filter (where status = 'pending' and attempts = 0),"
        " count(*) filter (where status = 'pending' and attempts > 0),"
        " count(*) filter (where status = 'failed')"
        " from postrider.outbox where status in ('pending', 'failed') and deleted_at is null");
    return {counts.published, counts.delivered, row.get<std::int64_t>(0, 0),
            row.get<std::int64_t>(0, 1), row.get<std::int64_t>(0, 2)};
}

void print(const state& now, std::int64_t rate, bool json) {
    if (json) {
        fmt::print("{}\n", json_object()
                               .add("published", now.published)
                               .add("delivered", now.delivered)
                               .add("waiting", now.waiting)
                               .add("retrying", now.retrying)
                               .add("dead", now.dead)
                               .add("rate", rate)
                               .text());
    } else {
        const bool terminal = ::isatty(STDOUT_FILENO) == 1;
        fmt::print("{}published {}  delivered {}  waiting {}  retrying {}  dead {}  {}/s{}",
                   terminal ? "\r\033[K" : "", now.published, now.delivered, now.waiting,
                   now.retrying, now.dead, rate, terminal ? "" : "\n");
    }
    std::fflush(stdout);
}

/// Threads whose first failure is handed to whoever waits for them.
class crew {
  public:
    template <typename Work>
    void add(Work work) {
        threads_.emplace_back([this, work = std::move(work)] {
            try {
                work();
            } catch (...) {
                if (!failed_.exchange(true)) {
                    failure_ = std::current_exception();
                }
                ::kill(::getpid(), SIGTERM);  // nobody goes on alone
            }
        });
    }
    void finish() {
        threads_.clear();
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

  private:
    std::atomic<bool> failed_ = false;
    std::exception_ptr failure_;
    std::vector<std::jthread> threads_;
};

}  // namespace

void run(const std::string& database, const stop_signal& stop, bool json) {
    tally counts;
    worker reserving(database, "warehouse", warehouse(), counts, stop);
    worker booking(database, "office", office(), counts, stop);
    shop selling(database, counts);
    pg::connection session(database);
    if (!json) {
        fmt::print("a small shop: 50 messages a second for two consumers, some of which fail\n");
    }
    crew all;
    all.add([&] { reserving.run(); });
    all.add([&] { booking.run(); });
    all.add([&] {
        while (!stop.wait_for(between_sales)) {
            selling.sell();
        }
    });
    std::int64_t delivered = 0;
    while (!stop.wait_for(1s)) {
        const auto now = look(session, counts);
        print(now, now.delivered - delivered, json);
        delivered = now.delivered;
    }
    if (!json && ::isatty(STDOUT_FILENO) == 1) {
        fmt::print("\n");
    }
    all.finish();
}

}  // namespace postrider::cli::demo
