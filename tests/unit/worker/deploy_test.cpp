#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/process.hpp"
#include "support/scratch_directory.hpp"

// The files of deploy/ agree with the program and with the tools that read them.
namespace postrider::test {
namespace {

namespace fs = std::filesystem;

fs::path root() { return POSTRIDER_SOURCE_DIR; }

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_FALSE(text.str().empty()) << file;
    return text.str();
}

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
    const std::regex wanted(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), wanted), end; match != end; ++match) {
        found.insert((*match)[1]);
    }
    return found;
}

// Metrics that queries of Prometheus name; a histogram has three.
std::set<std::string> metrics_in(const std::string& text) {
    std::set<std::string> names;
    for (const auto& name : all_matches(text, R"((postrider_[a-z_]+))")) {
        names.insert(
            std::regex_replace(name, std::regex("_seconds_(bucket|sum|count)$"), "_seconds"));
    }
    return names;
}

bool installed(const std::string& program) {
    return run({"/bin/sh", "-c", "command -v " + program}).status == 0;
}

TEST(deploy, every_metric_that_is_named_exists) {
    const auto known =
        all_matches(text_of(root() / "docs/reference/metrics.md"), "`(postrider_[a-z_]+)`");
    for (const auto* file : {"grafana/postrider.json", "prometheus/postrider-alerts.yml"}) {
        const auto named = metrics_in(text_of(root() / "deploy" / file));
        EXPECT_GT(named.size(), 5U) << file;
        for (const auto& name : named) {
            EXPECT_TRUE(known.contains(name)) << file << ": " << name << " is not in metrics.md";
        }
    }
}

TEST(deploy, the_dashboard_can_be_imported_and_every_panel_asks_something) {
    const auto dashboard = nlohmann::json::parse(text_of(root() / "deploy/grafana/postrider.json"));
    EXPECT_EQ(dashboard.at("title"), "Postrider");
    std::set<int> ids;
    for (const auto& panel : dashboard.at("panels")) {
        EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << panel.at("title");
        EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}");
        ASSERT_FALSE(panel.at("targets").empty()) << panel.at("title");
        for (const auto& target : panel.at("targets")) {
            EXPECT_FALSE(metrics_in(target.at("expr")).empty()) << panel.at("title");
        }
    }
    EXPECT_GT(ids.size(), 15U);
}

TEST(deploy, the_dashboard_shows_the_databases_that_were_chosen) {
    const auto dashboard = nlohmann::json::parse(text_of(root() / "deploy/grafana/postrider.json"));
    for (const auto& panel : dashboard.at("panels")) {
        for (const auto& target : panel.at("targets")) {
            const auto asked = target.at("expr").get<std::string>();
            // Every metric is filtered by one of the two: each `postrider serve` has one database,
            // and metrics of workers have a label for it.
            const auto chosen = all_matches(asked, R"(\{((?:instance|database)=~"\$))");
            EXPECT_EQ(chosen.size(), all_matches(asked, "(postrider_[a-z_]+)").size()) << asked;
        }
    }
}

TEST(deploy, every_alert_names_a_command) {
    const auto rules = text_of(root() / "deploy/prometheus/postrider-alerts.yml");
    std::size_t count = 0;
    for (auto at = rules.find("- alert: "); at != std::string::npos; ++count) {
        const auto next = rules.find("- alert: ", at + 1);
        const auto rule = rules.substr(at, next - at);
        for (const auto* part : {"expr: ", "severity: ", "summary: ", "description: ", "Try: "}) {
            EXPECT_NE(rule.find(part), std::string::npos) << part << "\n" << rule;
        }
        at = next;
    }
    EXPECT_GT(count, 8U);
    // The commands that they and the units name exist.
    const auto help = run({POSTRIDER_PROGRAM, "--help"}).output;
    for (const auto& command : all_matches(rules, "Try: postrider ([a-z-]+)")) {
        EXPECT_NE(help.find("\n  " + command), std::string::npos) << command;
    }
}

TEST(deploy, no_alert_mixes_figures_of_several_databases) {
    const auto rules = text_of(root() / "deploy/prometheus/postrider-alerts.yml");
    for (const auto& expression : all_matches(rules, "expr: (.*)")) {
        // Both name the labels that stay, and so drop those of the target.
        EXPECT_FALSE(std::regex_search(expression, std::regex(R"(\b(on|by) *\()"))) << expression;
    }
}

// ./dev test fetches it; it is part of Prometheus.
std::string promtool_program() {
    const auto fetched = root() / "build/promtool/promtool";
    return fs::exists(fetched) ? fetched.string() : "promtool";
}

TEST(deploy, alerts_are_about_one_database_each) {
    const auto promtool = promtool_program();
    if (!installed(promtool)) {
        GTEST_SKIP() << "promtool is not there";
    }
    const auto judged =
        run({promtool, "test", "rules", (root() / "tests/unit/fixtures/alerts.yml").string()});
    EXPECT_EQ(judged.status, 0) << judged.output;
}

TEST(deploy, prometheus_takes_its_files_and_would_not_take_wrong_ones) {
    const auto promtool = promtool_program();
    if (!installed(promtool)) {
        GTEST_SKIP() << "promtool is not there";
    }
    const auto alerts = root() / "deploy/prometheus/postrider-alerts.yml";
    const auto judged = run({promtool, "check", "rules", alerts.string()});
    EXPECT_EQ(judged.status, 0) << judged.output;
    const auto scraping = run({promtool, "check", "config", "--syntax-only",
                               (root() / "deploy/prometheus/postrider-scrape.yml").string()});
    EXPECT_EQ(scraping.status, 0) << scraping.output;
    const scratch_directory scratch;
    const auto broken = scratch.path() / "alerts.yml";
    std::ofstream(broken) << std::regex_replace(text_of(alerts), std::regex("expr: "), "expr: ) ");
    EXPECT_NE(run({promtool, "check", "rules", broken.string()}).status, 0);
}

TEST(deploy, units_are_sandboxed) {
    const scratch_directory scratch;
    std::vector<std::string> files;
    for (const auto& [file, name] :
         {std::pair("postrider-serve.service", "postrider-serve.service"),
          std::pair("postrider-worker@.service", "postrider-worker@billing.service")}) {
        const auto unit = text_of(root() / "deploy/systemd" / file);
        for (const auto* wall :
             {"DynamicUser=yes", "NoNewPrivileges=yes", "CapabilityBoundingSet=\n",
              "ProtectSystem=strict", "SystemCallFilter=@system-service",
              "MemoryDenyWriteExecute=yes", "LoadCredential=config.toml:"}) {
            EXPECT_NE(unit.find(wall), std::string::npos) << file << ": " << wall;
        }
        files.push_back((scratch.path() / name).string());
        std::ofstream(files.back())
            << std::regex_replace(unit, std::regex("/usr/bin/postrider"), POSTRIDER_PROGRAM);
    }
    if (!installed("systemd-analyze")) {
        GTEST_SKIP() << "systemd-analyze is not installed";
    }
    for (const auto& file : files) {
        const auto verified =
            run({"/bin/sh", "-c", "systemd-analyze verify --man=no '" + file + "'"});
        EXPECT_EQ(verified.status, 0) << verified.output;
        const auto exposed =
            run({"/bin/sh", "-c",
                 "systemd-analyze security --offline=yes --threshold=20 '" + file + "'"});
        EXPECT_EQ(exposed.status, 0) << exposed.output;
    }
}

}  // namespace
}  // namespace postrider::test
