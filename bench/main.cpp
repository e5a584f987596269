#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "bench/engine.hpp"
#include "bench/failure.hpp"
#include "bench/worker.hpp"
#include "bench/workload.hpp"

namespace {

using namespace postrider::bench;

/// What is measured together, as one subcommand.
struct suite {
    const char* name;
    const char* meaning;
    const std::vector<scenario>& scenarios;
    const char* example;
};

struct suite_options {
    lab_options where;
    std::string json_file;
    std::vector<std::string> only;
};

// Ctrl-C must not leave a private server behind.
void stop_cleanly_on_signal(lab& where) {
    std::thread([&where] {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
        int caught = 0;
        sigwait(&signals, &caught);
        fmt::print(stderr, "\nstopping\n");
        where.tear_down();
        std::_Exit(128 + caught);
    }).detach();
}

void block_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void describe(const lab& where, report& results) {
    auto session = postrider::pg::connection(where.conninfo("postgres"));
    results.add_text("mode", where.quick() ? "quick" : "full");
    results.add("rounds", where.rounds());
    results.add("processors", std::thread::hardware_concurrency());
    results.add_text("postgresql", std::string(session.exec("show server_version").text(0, 0)));
    results.add_text("shared_buffers", std::string(session.exec("show shared_buffers").text(0, 0)));
    results.add_text("fsync", std::string(session.exec("show fsync").text(0, 0)));
}

void run_scenarios(const suite& what, const lab& where, const std::vector<std::string>& only,
                   report& results) {
    try {
        for (const auto& [name, run] : what.scenarios) {
            if (only.empty() || std::ranges::find(only, name) != only.end()) {
                run(where, results);
            }
        }
    } catch (const std::exception&) {
        // Whoever tears the server down ends the process as well; its complaints are no news.
        while (where.ending()) {
            ::pause();
        }
        throw;
    }
}

void run_suite(const suite& what, suite_options options) {
    if (options.where.quick) {
        options.where.rounds = 1;
    }
    block_signals();
    const stopwatch watch;
    fmt::print(stderr, "starting PostgreSQL\n");
    lab where(options.where);
    stop_cleanly_on_signal(where);
    report results;
    describe(where, results);
    run_scenarios(what, where, options.only, results);
    results.add("seconds", watch.elapsed());
    results.print_table();
    if (options.json_file == "-") {
        fmt::print("{}\n", results.json());
    } else if (!options.json_file.empty()) {
        std::ofstream file(options.json_file);
        file << results.json() << '\n';
        if (!file.flush()) {
            throw std::runtime_error("cannot write " + options.json_file);
        }
    }
}

void add_suite(CLI::App& app, const suite& what, suite_options& options) {
    auto* command = app.add_subcommand(what.name, what.meaning);
    command->footer(fmt::format(
        "Runs on a private PostgreSQL with fsync on, in a temporary directory that is removed.\n"
        "Other load on the machine moves the absolute rates; the ratios compare what ran side by "
        "side.\n\n"
        "Examples:\n"
        "  postrider-bench {0} --quick\n"
        "  postrider-bench {0} --json result.json\n"
        "  postrider-bench {0} --only {1}\n"
        "  postrider-bench {0} --database postgresql://me@localhost/postgres",
        what.name, what.example));
    command->add_flag("--quick", options.where.quick, "one short round of everything: a minute");
    command->add_option("--rounds", options.where.rounds, "rounds to take the median of")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command->add_option("--json", options.json_file, "write the numbers to a file; - is stdout");
    command->add_option("--database", options.where.database,
                        "a server to use; databases postrider_bench_* are made and dropped there");
    std::vector<std::string> names;
    for (const auto& one : what.scenarios) {
        names.emplace_back(one.name);
    }
    command->add_option("--only", options.only, "run this scenario; may be repeated")
        ->check(CLI::IsMember(names));
    command->callback([&what, &options] { run_suite(what, options); });
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Measures Postrider against its promises"};
    app.name("postrider-bench");
    app.require_subcommand(1);
    const suite suites[] = {
        {"engine", "Publishing, claiming and waking, by numbers", engine_scenarios(), "drain"},
        {"worker", "The C++ worker, by numbers", worker_scenarios(), "worker_latency"},
        {"failure", "Failing, replaying and looking at dead letters, by numbers",
         failure_scenarios(), "one_percent"},
    };
    suite_options options;
    for (const auto& one : suites) {
        add_suite(app, one, options);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return problem.get_exit_code() == 0 ? app.exit(problem) : (app.exit(problem), 64);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "postrider-bench: {}\n", problem.what());
        return 1;
    }
    return 0;
}
