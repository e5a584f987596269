#include "bench/scale/scale.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/lab/progress.hpp"
#include "bench/peers/peers_report.hpp"
#include "bench/scale/scale_report.hpp"

namespace postrider::bench {
namespace {

using sizes = std::vector<std::int64_t>;

sizes rows_of(const lab& where) {
    if (where.tiny()) {
        return {1000, 2000};
    }
    sizes all{10'000, 100'000, 1'000'000};
    if (!where.quick()) {
        all.push_back(10'000'000);
    }
    return all;
}
sizes consumers_of(const lab& where) { return where.tiny() ? sizes{1, 2} : sizes{1, 4, 16, 64}; }
sizes handlers_of(const lab& where) { return where.tiny() ? sizes{1, 5} : sizes{1, 10, 50, 200}; }
sizes partitions_of(const lab& where) { return where.tiny() ? sizes{2, 4} : sizes{2, 20, 200}; }
sizes bytes_of(const lab& where) {
    return where.tiny() ? sizes{100, 1024} : sizes{100, 1024, 10'240, 65'536, 262'144};
}

const std::vector<curve>& curves() {
    static const std::vector<curve> all{
        {"backlog", "messages waiting", "a message", cost_behind_backlog, rows_of},
        {"history", "messages consumed before", "a message", cost_behind_history, rows_of},
        {"consumers", "consumers of one channel", "a message for a consumer", cost_with_consumers,
         consumers_of},
        {"handlers", "handlers of one consumer", "a message", cost_with_handlers, handlers_of},
        {"payload", "bytes of payload", "a KiB of payload", cost_of_payload, bytes_of},
        {"partitions", "partitions of the log", "a message", cost_with_partitions, partitions_of},
    };
    return all;
}

scale_results measure(const lab& where, const curve& series) {
    scale_results points = scale_results::array();
    const auto all = series.sizes(where);
    progress shown(fmt::format("{}: {} to {}", series.name, short_size(double(all.front())),
                               short_size(double(all.back()))),
                   static_cast<std::int64_t>(all.size()));
    for (const auto size : all) {
        const auto cost = series.measure(where, size);
        points.push_back({{"size", size}, {"us", std::stod(fmt::format("{:.4g}", cost))}});
        shown.advance(1);
    }
    scale_results made{{"grows", series.grows}, {"work", series.work}, {"points", points}};
    made["growth"] = std::stod(fmt::format("{:.3g}", growth_of(made)));
    made["verdict"] = verdict_of(made);
    made["mode"] = where.tiny() ? "tiny" : where.quick() ? "quick" : "full";
    made["rounds"] = where.rounds();
    return made;
}

void print(const scale_results& results) {
    for (const auto& [name, curve] : results.items()) {
        fmt::print("\n{}: microseconds of publishing and consuming {}\n", name,
                   curve["work"].get<std::string>());
        for (const auto& point : curve["points"]) {
            fmt::print("  {:>8} {:<28} {:>8}\n", short_size(point["size"].get<double>()),
                       curve["grows"].get<std::string>(), readable(point["us"].get<double>()));
        }
        fmt::print("  {}\n", curve["verdict"].get<std::string>());
    }
}

}  // namespace

const std::vector<std::string>& curve_names() {
    static const auto names = [] {
        std::vector<std::string> all;
        for (const auto& one : curves()) {
            all.emplace_back(one.name);
        }
        return all;
    }();
    return names;
}

void run_scale_on(const lab& where, const scale_options& options) {
    auto results = options.only.empty() || options.json_file == "-"
                       ? scale_results::object()
                       : read_results(options.json_file);
    for (const auto& one : curves()) {
        if (options.only.empty() ||
            std::ranges::find(options.only, one.name) != options.only.end()) {
            results[one.name] = measure(where, one);
        }
    }
    if (options.json_file != "-") {
        print(results);
    }
    if (!options.json_file.empty()) {
        write_results(options.json_file, results);
    }
}

}  // namespace postrider::bench
