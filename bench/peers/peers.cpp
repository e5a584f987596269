#include "bench/peers/peers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "bench/lab/report.hpp"
#include "bench/lab/workload.hpp"
#include "bench/peers/peers_report.hpp"

namespace postrider::bench {
namespace {

struct group {
    const char* name;
    void (*measure)(const lab&, const peer&, samples&);
};
constexpr group groups[] = {
    {"drain", measure_drain},   {"publish", measure_publish}, {"latency", measure_latency},
    {"pinned", measure_pinned}, {"due", measure_due},
};

bool wanted(const std::vector<std::string>& chosen, const std::string& name) {
    return chosen.empty() || std::ranges::find(chosen, name) != chosen.end();
}

std::string server_text(const lab& where) {
    pg::connection session(where.conninfo("postgres"));
    const auto show = [&](const std::string& setting) {
        return std::string(session.exec("show " + setting).text(0, 0));
    };
    return fmt::format(
        "PostgreSQL {}, {} processors shared with the clients, fsync {}, "
        "shared_buffers {}, max_wal_size {}",
        show("server_version"), std::thread::hardware_concurrency(), show("fsync"),
        show("shared_buffers"), show("max_wal_size"));
}

double rounded(double value) { return std::stod(fmt::format("{:.5g}", value)); }

// The object of one system; figures that were not measured now are kept.
peer_results describe_peer(const peer& system, const samples& measured, const lab& where,
                           const std::vector<std::string>& only, peer_results before) {
    peer_results figures = before.is_object() ? std::move(before) : peer_results::object();
    for (const auto& one : peer_keys()) {
        const auto found = measured.find(one.key);
        if (found != measured.end()) {
            figures[one.key] = rounded(median(found->second));
        } else if (!figures.contains(one.key)) {
            figures[one.key] = nullptr;
        }
    }
    // The best figure of a system is at least its figure in every other shape.
    for (const auto* key : {"drain_1", "drain_10", "drain_100", "drain_1000"}) {
        if (!figures[key].is_null() && !figures["drain_best"].is_null()) {
            figures["drain_best"] =
                std::max(figures["drain_best"].get<double>(), figures[key].get<double>());
        }
    }
    figures["configuration"] = system.configuration();
    figures["missing"] = system.missing();
    figures["server"] = server_text(where);
    for (const auto& one : groups) {
        if (wanted(only, one.name) && system.missing().empty()) {
            figures["runs"][one.name] = fmt::format("{}, {} round{}",
                                                    where.tiny()    ? "tiny"
                                                    : where.quick() ? "quick"
                                                                    : "full",
                                                    where.rounds(), where.rounds() == 1 ? "" : "s");
        }
    }
    return figures;
}

}  // namespace

peer_sizes sizes_for(const lab& where) {
    if (where.tiny()) {
        return {40, 100, 300, 2000, 0.15, 40, 1.2, 0.2, 0.4};
    }
    if (where.quick()) {
        return {1000, 5000, 20'000, 50'000, 1, 400, 12, 1, 2};
    }
    return {4000, 20'000, 100'000, 200'000, 3, 2000, 120, 5, 10};
}

void run_peers_on(const lab& where, const peers_options& options) {
    const auto all = all_peers(where.peer_programs());
    std::vector<const peer*> chosen;
    for (const auto& one : all) {
        if (wanted(options.systems, one->name())) {
            chosen.push_back(one.get());
        }
    }
    std::map<std::string, samples> measured;
    for (int round = 0; round < where.rounds(); ++round) {
        for (const auto& [name, measure] : groups) {
            if (!wanted(options.only, name)) {
                continue;
            }
            fmt::print(stderr, "{}, round {} of {}\n", name, round + 1, where.rounds());
            // Each round begins with another one.
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                const auto& system = *chosen[(i + static_cast<std::size_t>(round)) % chosen.size()];
                if (system.missing().empty()) {
                    measure(where, system, measured[system.name()]);
                }
            }
        }
    }
    const bool partly = !options.only.empty() || !options.systems.empty();
    const auto before = partly && options.json_file != "-" ? read_results(options.json_file)
                                                           : peer_results::object();
    peer_results results = peer_results::object();
    for (const auto& one : all) {
        const auto name = one->name();
        if (wanted(options.systems, name)) {
            results[name] = describe_peer(*one, measured[name], where, options.only,
                                          before.value(name, peer_results()));
        } else if (before.contains(name)) {
            results[name] = before[name];
        }
    }
    if (options.json_file != "-") {
        print_peers(results);
    }
    if (!options.json_file.empty()) {
        write_results(options.json_file, results);
    }
}

}  // namespace postrider::bench
