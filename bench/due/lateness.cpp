// lateness: how long after their due time messages run, when a thousand become due each second.
#include <postrider/worker.hpp>

#include "bench/due/due.hpp"
#include "bench/lab/countdown.hpp"
#include "bench/lab/source.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

using std::chrono::milliseconds;
using wall_clock = std::chrono::system_clock;

// Message n is due n milliseconds after `start`.
void publish_one_per_ms(const fresh_database& database, wall_clock::time_point start, int count) {
    const message_batch made(0, count);
    auto due = made.messages();
    for (int i = 0; i < count; ++i) {
        due[static_cast<std::size_t>(i)].available_at = start + milliseconds(i);
    }
    auto session = database.connect();
    store::copy_messages(session, due);
}

}  // namespace

void lateness(const lab& where, report& results) {
    const int count = where.tiny() ? 300 : where.size(10'000, 2'000);
    const fresh_database database(where);
    const auto start = wall_clock::now() + std::chrono::seconds(where.tiny() ? 1 : 2);
    std::vector<double> late_ms(static_cast<std::size_t>(count));
    countdown left(count);
    worker punctual({.database = database.conninfo(), .consumer = "bench"});
    punctual.on("*", "bench.all", [&](const event& e) {
        const auto number = number_in(e.payload());
        late_ms.at(static_cast<std::size_t>(number)) =
            seconds(wall_clock::now() - start - milliseconds(number)).count() * 1000;
        left.step();
    });
    punctual.start();
    const progress shown("lateness at 1,000 due messages a second", 1);
    publish_one_per_ms(database, start, count);
    left.wait();
    results.add("lateness_p99_ms", quantile(late_ms, 0.99));
    results.add("lateness_p50_ms", quantile(late_ms, 0.5));
}

}  // namespace postrider::bench
