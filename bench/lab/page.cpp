#include "bench/lab/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "bench/lab/page_chart.hpp"
#include "bench/peers/peers_report.hpp"
#include "bench/scale/scale_report.hpp"

namespace postrider::bench {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Puts `block` between the marks of `name`.
std::string with_block(const std::string& page, const std::string& name, const std::string& block) {
    const auto begin_mark = fmt::format("<!-- begin {} -->\n", name);
    const auto end_mark = fmt::format("<!-- end {} -->", name);
    const auto begin = page.find(begin_mark);
    const auto end = page.find(end_mark);
    if (begin == std::string::npos || end == std::string::npos) {
        throw std::runtime_error("the page has no marks for " + name);
    }
    return page.substr(0, begin + begin_mark.size()) + block + page.substr(end);
}

std::optional<double> figure(const peer_results& one, const std::string& key) {
    return one.contains(key) && !one[key].is_null() ? std::optional(one[key].get<double>())
                                                    : std::nullopt;
}

// The best figure of a row is bold. A key that was not measured has no row.
std::string peers_table(const peer_results& results) {
    std::string table = "| |";
    std::string rule = "|---|";
    for (const auto& [system, figures] : results.items()) {
        table += fmt::format(" {} |", system);
        rule += "---:|";
    }
    table += " |\n" + rule + "---|\n";
    for (const auto& [key, meaning, higher] : peer_keys()) {
        std::optional<double> best;
        for (const auto& [system, figures] : results.items()) {
            const auto value = figure(figures, key);
            if (value && (!best || (higher ? *value > *best : *value < *best))) {
                best = value;
            }
        }
        if (!best) {
            continue;
        }
        table += fmt::format("| `{}` |", key);
        for (const auto& [system, figures] : results.items()) {
            const auto value = figure(figures, key);
            const auto shown = value ? readable(*value) : "–";
            table += value && value == best ? fmt::format(" **{}** |", shown)
                                            : fmt::format(" {} |", shown);
        }
        table += fmt::format(" {} |\n", meaning);
    }
    return table;
}

std::string ratio_table(const peer_results& results) {
    std::string table =
        "| Postrider beside the others | measured | expected | | |\n|---|---:|---:|---|---|\n";
    for (const auto& ratio : peer_ratios(results)) {
        if (ratio.measured) {
            table += fmt::format("| {} | {:.2f} | {} {} | {} | {} |\n", ratio.meaning,
                                 *ratio.measured, ratio.at_least ? "≥" : "≤", ratio.expected,
                                 ratio.reached() ? "reached" : "**missed**", ratio.against);
        }
    }
    return table;
}

std::string peers_block(const peer_results& results) {
    std::string text;
    if (!results.empty()) {
        const auto& first = results.front();
        text += first.value("server", std::string()) + ". Sizes and rounds:";
        const auto runs = first.value("runs", peer_results::object());
        for (const auto& [group, how] : runs.items()) {
            text += fmt::format(" {} {};", group, how.get<std::string>());
        }
        text += " medians.\n\n";
    }
    text += peers_table(results) + "\n![Postrider and its peers](benchmarks/peers.svg)\n\n" +
            ratio_table(results) + "\nSystems and settings:\n\n";
    for (const auto& [system, figures] : results.items()) {
        const auto missing = figures.value("missing", std::string());
        text +=
            fmt::format("- **{}**: {}.\n", system,
                        missing.empty() ? figures.value("configuration", std::string()) : missing);
    }
    return text;
}

bar_panel bars_of(const peer_results& results, const std::string& key, const std::string& title) {
    bar_panel panel{title, {}};
    for (const auto& [system, figures] : results.items()) {
        panel.bars.push_back({system, figure(figures, key), system.starts_with("postrider")});
    }
    return panel;
}

bar_panel kept_of(const peer_results& results) {
    bar_panel panel{"Speed kept after 120 s with xmin pinned", {}};
    for (const auto& [system, figures] : results.items()) {
        const auto first = figure(figures, "pinned_first");
        const auto last = figure(figures, "pinned_last");
        panel.bars.push_back({system, first && last ? std::optional(*last / *first) : std::nullopt,
                              system.starts_with("postrider")});
    }
    return panel;
}

std::string peers_chart(const peer_results& results) {
    return draw_bars({
        bars_of(results, "drain_1000", "Drained per second, batches of 1,000"),
        bars_of(results, "drain_100", "Drained per second, batches of 100"),
        bars_of(results, "drain_10", "Drained per second, batches of 10"),
        bars_of(results, "drain_1", "Drained per second, one at a time"),
        bars_of(results, "bulk_publish", "Published per second, 1,000 a transaction"),
        bars_of(results, "publish_8", "Published per second, singly, 8 connections"),
        bars_of(results, "latency_p50_ms", "COMMIT to handler, median ms (less is better)"),
        bars_of(results, "latency_p99_ms", "COMMIT to handler, p99 ms (less is better)"),
        kept_of(results),
        bars_of(results, "cpu_s_per_million", "CPU s per million consumed (less is better)"),
        bars_of(results, "wal_bytes", "Bytes of WAL per consumed (less is better)"),
        bars_of(results, "worker_rss_mib", "Peak MiB of the consumer (less is better)"),
    });
}

std::string title_of(const std::string& name) {
    std::string title = name;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    return title;
}

std::string scale_block(const scale_results& results) {
    std::string table =
        "| what grows | from | to | cost of | µs at first | µs at last | growth | |\n"
        "|---|---:|---:|---|---:|---:|---:|---|\n";
    for (const auto& [name, curve] : results.items()) {
        const auto& first = curve["points"].front();
        const auto& last = curve["points"].back();
        table += fmt::format(
            "| {} | {} | {} | {} | {} | {} | {:.2f} | {} |\n", curve["grows"].get<std::string>(),
            short_size(first["size"].get<double>()), short_size(last["size"].get<double>()),
            curve["work"].get<std::string>(), readable(first["us"].get<double>()),
            readable(last["us"].get<double>()), growth_of(curve),
            growth_of(curve) <= growth_max ? "no faster than the work"
                                           : "**faster than the work**");
    }
    return table + "\n![Cost as things grow](benchmarks/scale.svg)\n";
}

std::string scale_chart(const scale_results& results) {
    std::vector<curve_panel> panels;
    for (const auto& [name, curve] : results.items()) {
        curve_panel panel{
            fmt::format("{}: µs per {}", title_of(name), curve["work"].get<std::string>()),
            curve["grows"].get<std::string>(),
            {},
            {}};
        for (const auto& point : curve["points"]) {
            panel.x.push_back(point["size"].get<double>());
            panel.y.push_back(point["us"].get<double>());
        }
        panels.push_back(std::move(panel));
    }
    return draw_curves(panels);
}

}  // namespace

void write_page(const page_options& options) {
    const fs::path root = options.root;
    const auto peers = read_results(root / "bench/results/peers.json");
    const auto scale = read_results(root / "bench/results/scale.json");
    const auto page = root / "docs/benchmarks.md";
    auto text = with_block(read_text(page), "peers", peers_block(peers));
    text = with_block(text, "scale", scale_block(scale));
    const std::map<fs::path, std::string> files{
        {page, text},
        {root / "docs/benchmarks/peers.svg", peers_chart(peers)},
        {root / "docs/benchmarks/scale.svg", scale_chart(scale)},
    };
    for (const auto& [file, wanted] : files) {
        if (read_text(file) == wanted) {
            continue;
        }
        if (options.check) {
            throw std::runtime_error(file.string() +
                                     " does not show bench/results; run ./dev bench page");
        }
        fs::create_directories(file.parent_path());
        std::ofstream(file) << wanted;
        fmt::print("wrote {}\n", file.string());
    }
}

}  // namespace postrider::bench
