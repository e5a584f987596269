// ordered: a worker of an ordered consumer drains a backlog with 10,000 ordering keys, in turn with
// a worker of an unordered consumer and the same backlog without keys. Both are measured from the
// first connection to the last report. hot_key_per_s is the speed of one key that has all messages.
#include <fmt/core.h>

#include <atomic>
#include <charconv>
#include <postrider/worker.hpp>

#include "bench/jobs/jobs.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr int all_keys = 10'000;
constexpr int per_transaction = 1000;

/// The payload is the number of the message, so that the handler can check the order.
void publish_numbers(const fresh_database& database, int rows, int keys) {
    auto session = database.connect_consumer();
    for (int first = 1; first <= rows; first += per_transaction) {
        session.exec(fmt::format(
            "insert into postrider.message (event_type, source, payload, ordering_key)"
            " select 'order.placed', 'bench', to_json(n), {}"
            " from generate_series({}, {}) n order by n",
            keys > 0 ? fmt::format("'k:' || (hashint4(n) & 2147483647) % {}", keys) : "null", first,
            std::min(first + per_transaction - 1, rows)));
    }
}

int as_number(std::string_view text) {
    int read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    return read;
}

/// The messages that were handled after a later one of their key.
class watch_order {
  public:
    void see(const event& handled) {
        const int now = as_number(handled.payload());
        const auto key = handled.ordering_key();
        if (key && last_[static_cast<std::size_t>(as_number(key->substr(2)))].exchange(now) > now) {
            ++inversions_;
        }
    }
    int inversions() const { return inversions_; }

  private:
    std::vector<std::atomic<int>> last_ = std::vector<std::atomic<int>>(all_keys);
    std::atomic<int> inversions_ = 0;
};

double ordered_drain_rate(const fresh_database& database, int rows, bool keyed, watch_order& seen) {
    countdown left(rows);
    worker_options options{
        .database = database.conninfo(), .consumer = "bench", .concurrency = 2, .batch_max = 1000};
    if (keyed) {
        options.ordering = ordering_policy::hold();
    }
    worker draining(options);
    draining.on("*", "bench.all", [&](const event& handled) {
        seen.see(handled);
        left.step();
    });
    const stopwatch watch;
    draining.start();
    left.wait();
    draining.request_stop();
    draining.wait();
    return static_cast<double>(rows) / watch.elapsed();
}

/// One key has all messages. Returns the inversions.
int measure_hot_key(const lab& where, report& results) {
    const int rows = where.tiny() ? 500 : where.size(20'000, 10'000);
    const fresh_database database(where);
    { const bench_worker first(database.connect()); }
    publish_numbers(database, rows, 1);
    database.settle_down();
    progress shown("drain one key", 1);
    watch_order seen;
    results.add("hot_key_per_s", ordered_drain_rate(database, rows, true, seen));
    return seen.inversions();
}

}  // namespace

void ordered(const lab& where, report& results) {
    const int rows = where.tiny() ? 2000 : where.size(200'000, 50'000);
    std::vector<double> with;
    std::vector<double> without;
    std::vector<double> ratio;
    watch_order unwatched;
    int inversions = 0;
    for (int round = 0; round < where.rounds(); ++round) {
        for (int side = 0; side < 2; ++side) {
            const bool keyed = (round + side) % 2 == 0;
            const fresh_database database(where);
            { const bench_worker first(database.connect()); }
            publish_numbers(database, rows, keyed ? all_keys : 0);
            database.settle_down();
            progress shown(
                fmt::format("drain {} keys, round {}", keyed ? "by" : "without", round + 1), 1);
            watch_order seen;
            (keyed ? with : without)
                .push_back(ordered_drain_rate(database, rows, keyed, keyed ? seen : unwatched));
            inversions += seen.inversions();
        }
        ratio.push_back(with.back() / without.back());
    }
    results.add("ordered_over_unordered", median(ratio));
    results.add("ordered_messages_per_s", median(with));
    results.add("unordered_messages_per_s", median(without));
    results.add("inversions", inversions + measure_hot_key(where, results));
}

}  // namespace postrider::bench
