#include "chaos/check/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/json/json.hpp"

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

std::string consumers(const verdict& of) {
    json_object all;
    for (const auto& [name, one] : of.consumers) {
        json_object made;
        made.add("lost", one.lost).add("invented", one.invented);
        made.add("unexplained", one.unexplained).add("late", one.late);
        made.add("late_explained", one.late_explained);
        made.add_raw("start_p50_s", seconds(one.starts.p50_s));
        made.add_raw("start_p99_s", seconds(one.starts.p99_s));
        all.add_raw(name, made.text());
    }
    return all.text();
}

void add_starts(json_object& to, const verdict& of) {
    to.add("late", of.late).add("late_explained", of.late_explained);
    to.add_raw("start_bound_s", seconds(of.start_bound_s));
    to.add_raw("keeper_bound_s", seconds(of.keeper_bound_s));
    to.add_raw("start_p50_s", seconds(of.starts.p50_s));
    to.add_raw("start_p99_s", seconds(of.starts.p99_s));
    to.add_raw("late_causes", counts(of.late_causes));
    to.add_raw("longest_transaction_s", seconds(of.longest_transaction_s));
    to.add_raw("consumers", consumers(of));
}

std::string describe_starts(const verdict& of) {
    std::string text = fmt::format(
        "start of a committed message by a connected worker with a free thread: within {:.1f} s, "
        "{:.1f} s more while the channel has no keeper\n"
        "  late {}, late_explained {}, p50 {:.3f} s, p99 {:.3f} s; longest transaction {:.1f} s\n",
        of.start_bound_s, of.keeper_bound_s, of.late, of.late_explained, of.starts.p50_s,
        of.starts.p99_s, of.longest_transaction_s);
    for (const auto& [name, one] : of.consumers) {
        text += fmt::format(
            "  {:<10} lost {}, invented {}, unexplained {}, late {}, late_explained {}, "
            "p50 {:.3f} s, p99 {:.3f} s\n",
            name, one.lost, one.invented, one.unexplained, one.late, one.late_explained,
            one.starts.p50_s, one.starts.p99_s);
    }
    for (const auto& [cause, count] : of.late_causes) {
        text += fmt::format("  late by {:<20} {}\n", cause, count);
    }
    return text;
}

}  // namespace

void verdict::add(const std::string& invariant, const std::string& detail) {
    if (violations[invariant]++ < examples_of_each) {
        examples.push_back({invariant, detail});
    }
}

void verdict::add_repeat(const std::string& consumer, const std::string& cause,
                         const std::string& how) {
    ++duplicates;
    if (!cause.empty()) {
        ++explained;
        ++causes[cause];
        return;
    }
    ++unexplained;
    ++consumers[consumer].unexplained;
    add("I8", how + ", without an explanation");
}

verdict check(const std::filesystem::path& directory) {
    const facts from(directory);
    verdict made;
    made.seed = from.seed;
    made.server_crashes = static_cast<int>(from.crashes.size());
    for (const auto& question :
         {check_publishing, check_states, check_effects, check_ceilings, check_fences,
          check_dead_letters, check_times, check_repeats, check_charges, check_retention,
          check_claims, check_starts, check_order, check_processes, check_behind_broker,
          measure_recovery}) {
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
    for (const auto& [invariant, detail] : of.examples) {
        examples.add_raw(json_object().add("invariant", invariant).add("detail", detail).text());
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
    made.add("keyed", of.keyed).add("inversions", of.inversions);
    add_starts(made, of);
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
    text += describe_starts(of);
    text += fmt::format("order by key: {} messages, inversions {}\n", of.keyed, of.inversions);
    if (of.pinned_rate > 0) {
        text += fmt::format("  runs per second: {:.0f}, while xmin was pinned {:.0f}\n", of.rate,
                            of.pinned_rate);
    }
    for (const auto& [invariant, count] : of.violations) {
        text += fmt::format("  {} is broken {} times\n", invariant, count);
    }
    for (const auto& [invariant, detail] : of.examples) {
        text += fmt::format("    {}: {}\n", invariant, detail);
    }
    return text;
}

}  // namespace postrider::chaos
