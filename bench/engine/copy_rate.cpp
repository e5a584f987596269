// copy_rate: bulk loading the log compared with a bare heap of the same columns, without index,
// constraint and partitions. Both get the same bytes, batch by batch in turn, each batch in one
// durable transaction, and store the same rows.
#include <fmt/core.h>

#include <array>

#include "bench/engine/engine.hpp"
#include "bench/lab/workload.hpp"

namespace postrider::bench {
namespace {

constexpr const char* bare_table = "public.bare";

// Ratio of the speed of the log to that of the heap.
double one_round(const lab& where, int batches, std::vector<double>& ours,
                 std::vector<double>& bare, progress& shown) {
    const fresh_database database(where);
    auto session = database.connect();
    session.exec(
        "create table public.bare"
        " (like postrider.message including defaults including identity)");
    take_anything(session, bare_table);
    std::array<double, 2> took{};
    for (int i = 0; i < batches; ++i) {
        const auto data =
            store::copy_rows(message_batch(std::int64_t{i} * large_batch, large_batch).messages());
        for (int side = 0; side < 2; ++side) {
            const auto which = static_cast<std::size_t>((i + side) % 2);
            const stopwatch watch;
            copy_into(session, which == 0 ? "postrider.message" : bare_table, data);
            took[which] += watch.elapsed();
        }
        shown.advance(1);
    }
    ours.push_back(batches * large_batch / took[0]);
    bare.push_back(batches * large_batch / took[1]);
    return ours.back() / bare.back();
}

}  // namespace

void copy_rate(const lab& where, report& results) {
    const int batches = where.size(500, 60);
    std::vector<double> ratio;
    std::vector<double> ours;
    std::vector<double> bare;
    for (int round = 0; round < where.rounds(); ++round) {
        progress shown(fmt::format("copy in batches of {}, round {}", large_batch, round + 1),
                       batches);
        ratio.push_back(one_round(where, batches, ours, bare, shown));
    }
    results.add("copy_over_bare", median(ratio));
    results.add("copy_per_s", median(ours));
    results.add("copy_bare_per_s", median(bare));
}

}  // namespace postrider::bench
