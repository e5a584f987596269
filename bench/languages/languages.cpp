#include "bench/languages/languages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "bench/due/due.hpp"
#include "bench/lab/child.hpp"
#include "bench/lab/progress.hpp"
#include "bench/peers/peers.hpp"

namespace postrider::bench {
namespace {

namespace fs = std::filesystem;

constexpr int children = 2;

// Measured by the worker's clock: each line of its log begins with a UTC time in microseconds.
double seconds_of_day(const std::string& line) {
    const auto at = line.find('T');
    const auto number = [&](std::size_t from, std::size_t length) {
        return std::stod(line.substr(at + from, length));
    };
    return (number(1, 2) * 3600) + (number(4, 2) * 60) + number(7, 9);
}

double time_of(child& worker, const std::string& state) {
    for (;;) {
        const auto line = worker.read_line();
        if (line.find(" " + state + ": ") != std::string::npos) {
            return seconds_of_day(line);
        }
    }
}

// Messages per second of a worker with children, from its start until no message is left.
double child_drain_rate(const lab& where, const std::string& command) {
    const int rows = part_of(where, 200'000);
    const fresh_database database(where);
    const auto system = make_postrider();
    auto session = database.connect_consumer();
    constexpr int batch = 1000;
    for (int first = 0; first < rows; first += batch) {
        system->publish_many(session, first, std::min(batch, rows - first));
    }
    database.settle_down();
    const auto program = fs::read_symlink("/proc/self/exe").parent_path() / "postrider";
    auto variables = consumer_environment(database);
    variables["POSTRIDER_DATABASE_URL"] = "postgresql://";
    child worker(
        {"/bin/sh", "-c",
         fmt::format(
             "exec {} work --consumer languages --from-beginning --on '*' --once --children {} "
             "--stay 'exec {}' 2>&1",
             program.string(), children, command)},
        variables);
    const auto began = time_of(worker, "started");
    const auto ended = time_of(worker, "stopping");
    const auto took = ended - began + (ended < began ? 86'400 : 0);
    worker.finish();
    return rows / took;
}

fs::path script(const char* name) { return fs::path(POSTRIDER_BENCH_SOURCE) / "languages" / name; }

}  // namespace

void python(const lab& where, report& results) {
    std::vector<double> rates;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("python, round {}", round + 1), 1);
        rates.push_back(child_drain_rate(where, "python3 " + script("noop.py").string()));
    }
    results.add("python_per_s", median(rates));
}

// In turn with the peers for Node.js, on the same Node.js.
void node(const lab& where, report& results) {
    const auto programs = where.peer_programs();
    std::vector<std::unique_ptr<peer>> peers;
    peers.push_back(make_graphile_worker(programs));
    peers.push_back(make_pg_boss(programs));
    const auto runtime = node_program(programs);
    const auto command = (runtime.empty() ? std::string("node") : runtime.string()) + " " +
                         script("noop.mjs").string();
    samples rates;
    std::vector<double> ratio;
    for (int round = 0; round < where.rounds(); ++round) {
        const progress shown(fmt::format("node, round {}", round + 1), 1);
        const auto ours = child_drain_rate(where, command);
        rates["node"].push_back(ours);
        double best = 0;
        for (const auto& one : peers) {
            if (one->missing().empty()) {
                const auto theirs = drain_at_best(where, *one, part_of(where, 200'000));
                rates[one->name()].push_back(theirs);
                best = std::max(best, theirs);
            }
        }
        if (best > 0) {
            ratio.push_back(ours / best);
        }
    }
    results.add("node_per_s", median(rates["node"]));
    for (const auto& one : peers) {
        if (rates.contains(one->name())) {
            results.add(fmt::format("node_{}_per_s", one->name()), median(rates[one->name()]));
        }
    }
    if (!ratio.empty()) {
        results.add("node_over_best_peer", median(ratio));
    }
}

const std::vector<scenario>& languages_scenarios() {
    static const std::vector<scenario> all{{"node", node}, {"python", python}};
    return all;
}

}  // namespace postrider::bench
