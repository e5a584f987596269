// priority, scheduled, retry: the worker and the peers with these features, in turn, drain messages
// with priorities, with a due time, or that fail once.
#include <fmt/core.h>

#include <map>

#include "bench/due/due.hpp"
#include "bench/due/due_systems.hpp"
#include "bench/lab/progress.hpp"
#include "bench/peers/peers.hpp"

namespace postrider::bench {
namespace {

using rate_of = std::optional<double> (*)(const lab&, const peer&);

constexpr const char* our_system = "postrider_worker";

struct peer_rate {
    std::string name = "none";
    double value = 0;
};

peer_rate best_of(const std::map<std::string, double>& rates) {
    peer_rate best;
    for (const auto& [name, value] : rates) {
        if (name != our_system && value > best.value) {
            best = {name, value};
        }
    }
    return best;
}

// One round: messages per second by system, beginning with another one each time.
std::map<std::string, double> rates_of_round(const lab& where, const std::string& name,
                                             rate_of rate, int round) {
    const auto all = all_peers(where.peer_programs());
    std::map<std::string, double> rates;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& system = *all[(i + static_cast<std::size_t>(round)) % all.size()];
        if (due_system_of(system) == nullptr || !system.missing().empty()) {
            continue;
        }
        const progress shown(fmt::format("{}: {}, round {}", name, system.name(), round + 1), 1);
        if (const auto measured = rate(where, system)) {
            rates[system.name()] = *measured;
        }
    }
    return rates;
}

void compare_systems(const lab& where, report& results, const std::string& name, rate_of rate) {
    samples by_system;
    std::vector<double> ratio;
    std::string best_name;
    for (int round = 0; round < where.rounds(); ++round) {
        const auto rates = rates_of_round(where, name, rate, round);
        for (const auto& [system, value] : rates) {
            by_system[system].push_back(value);
        }
        const auto best = best_of(rates);
        ratio.push_back(rates.at(our_system) / best.value);
        best_name = best.name;
    }
    results.add(name + "_per_s", median(by_system[our_system]));
    results.add(name + "_over_best_peer", median(ratio));
    results.add_text(name + "_best_peer", best_name);
    for (const auto& [system, values] : by_system) {
        if (system != our_system) {
            results.add(fmt::format("{}_{}_per_s", name, system), median(values));
        }
    }
}

}  // namespace

void priority(const lab& where, report& results) {
    compare_systems(where, results, "priority", priority_rate);
}

void scheduled(const lab& where, report& results) {
    compare_systems(where, results, "scheduled", scheduled_rate);
    lateness(where, results);
}

void retry(const lab& where, report& results) {
    compare_systems(where, results, "retry", retry_rate);
    compare_systems(where, results, "retry_stored", retry_stored_rate);
}

void measure_due(const lab& where, const peer& system, samples& into) {
    const struct {
        const char* key;
        rate_of rate;
    } all[] = {{"priority_per_s", priority_rate},
               {"scheduled_per_s", scheduled_rate},
               {"retry_per_s", retry_rate}};
    if (due_system_of(system) == nullptr) {
        return;
    }
    const progress shown(fmt::format("  due: {}", system.name()), 1);
    for (const auto& [key, rate] : all) {
        if (const auto measured = rate(where, system)) {
            into[key].push_back(*measured);
        }
    }
}

}  // namespace postrider::bench
