#include "chaos/check/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.hpp"

namespace postrider::chaos {
namespace {

constexpr int examples_of_each = 5;

std::string seconds(double value) { return fmt::format("{:.3f}", value); }

template <typename Map>
std::string counts(const Map& of) {
    json_object made;
    for (const auto& [name, count] : of) {
        made.add(name, count);
    }
    return made.text();
}

}  // namespace

void verdict::add(const std::string& invariant, const std::string& what) {
    if (violations[invariant]++ < examples_of_each) {
        examples.push_back({invariant, what});
    }
}

verdict check(const std::filesystem::path& directory) {
    const facts from(directory);
    verdict made;
    made.seed = from.seed;
    made.server_crashes = static_cast<int>(from.crashes.size());
    for (const auto& question :
         {check_publishing, check_states, check_effects, check_ceilings, check_fences,
          check_dead_letters, check_times, check_repeats, check_charges, check_retention,
          check_claims, check_processes, measure_recovery}) {
        question(from, made);
    }
    return made;
}

std::string last_line(const verdict& of) {
    return fmt::format(
        "published {}, delivered {}, dead {}, duplicates {} (explained {}), lost {}, invented {}, "
        "unexplained {}",
        of.published, of.delivered, of.dead, of.duplicates, of.explained, of.lost, of.invented,
        of.unexplained);
}

std::string to_json(const verdict& of) {
    json_array examples;
    for (const auto& [invariant, what] : of.examples) {
        examples.add_raw(json_object().add("invariant", invariant).add("what", what).text());
    }
    json_array faults;
    for (const auto& one : of.recoveries) {
        json_object made;
        made.add("fault", one.fault).add_raw("at_s", seconds(one.at_s));
        made.add_raw("lasted_s", seconds(one.lasted_s));
        made.add_raw("recovered_s", one.recovered_s < 0 ? "null" : seconds(one.recovered_s));
        faults.add_raw(made.text());
    }
    json_object made;
    made.add("seed", of.seed).add("published", of.published).add("delivered", of.delivered);
    made.add("dead", of.dead).add("duplicates", of.duplicates).add("explained", of.explained);
    made.add("lost", of.lost).add("invented", of.invented).add("unexplained", of.unexplained);
    made.add("runs", of.runs).add("server_crashes", of.server_crashes);
    made.add_raw("causes", counts(of.causes)).add_raw("violations", counts(of.violations));
    made.add_raw("examples", examples.text()).add_raw("faults", faults.text());
    made.add_raw("runs_per_s", seconds(of.rate));
    made.add_raw("runs_per_s_pinned", of.pinned_rate > 0 ? seconds(of.pinned_rate) : "null");
    return made.text();
}

std::string describe(const verdict& of) {
    std::string text;
    std::map<std::string, std::vector<double>> times;
    for (const auto& one : of.recoveries) {
        times[one.fault].push_back(one.recovered_s);
    }
    text += fmt::format("seed {}, {} runs of handlers, {} crashes of the server\n", of.seed,
                        of.runs, of.server_crashes);
    for (const auto& [fault, all] : times) {
        text += fmt::format("  {:<20} {:>4} times, recovered after at most {:.2f} s\n", fault,
                            all.size(), *std::ranges::max_element(all));
    }
    for (const auto& [cause, count] : of.causes) {
        text += fmt::format("  duplicates by {:<20} {}\n", cause, count);
    }
    if (of.pinned_rate > 0) {
        text += fmt::format("  runs per second: {:.0f}, while xmin was pinned {:.0f}\n", of.rate,
                            of.pinned_rate);
    }
    for (const auto& [invariant, count] : of.violations) {
        text += fmt::format("  {} is broken {} times\n", invariant, count);
    }
    for (const auto& [invariant, what] : of.examples) {
        text += fmt::format("    {}: {}\n", invariant, what);
    }
    return text;
}

}  // namespace postrider::chaos
