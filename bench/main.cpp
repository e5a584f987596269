#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "bench/brokers/brokers.hpp"
#include "bench/due/due.hpp"
#include "bench/engine/consume.hpp"
#include "bench/engine/engine.hpp"
#include "bench/failure/failure.hpp"
#include "bench/jobs/jobs.hpp"
#include "bench/lab/in_lab.hpp"
#include "bench/lab/page.hpp"
#include "bench/lab/workload.hpp"
#include "bench/languages/languages.hpp"
#include "bench/peers/peers.hpp"
#include "bench/scale/scale.hpp"
#include "bench/surface/surface.hpp"
#include "bench/worker/worker.hpp"

namespace {

using namespace postrider::bench;

/// The scenarios of one subcommand.
struct suite {
    const char* name;
    const char* meaning;
    const std::vector<scenario>& scenarios;
    const char* example;
    bool beside_peers = false;
};

struct suite_options {
    lab_options where;
    std::string json_file;
    std::vector<std::string> only;
};

void describe(const lab& where, report& results) {
    auto session = postrider::pg::connection(where.conninfo("postgres"));
    results.add_text("mode", where.quick() ? "quick" : "full");
    results.add("rounds", where.rounds());
    results.add("processors", std::thread::hardware_concurrency());
    results.add_text("postgresql", std::string(session.exec("show server_version").text(0, 0)));
    results.add_text("claims", where.claims_natively() ? "native" : "in SQL");
    results.add_text("shared_buffers", std::string(session.exec("show shared_buffers").text(0, 0)));
    results.add_text("fsync", std::string(session.exec("show fsync").text(0, 0)));
}

void run_suite(const suite& chosen, const suite_options& options) {
    const stopwatch watch;
    report results;
    in_lab(options.where, [&](const lab& where) {
        describe(where, results);
        for (const auto& [name, run] : chosen.scenarios) {
            if (options.only.empty() ||
                std::ranges::find(options.only, name) != options.only.end()) {
                run(where, results);
            }
        }
    });
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

constexpr const char* where_it_runs =
    "Runs on a private PostgreSQL with fsync on, in a temporary directory that is removed.\n"
    "Other load on the machine moves the absolute rates; the ratios compare what ran side by "
    "side.\n\n";

void add_lab_options(CLI::App& command, lab_options& where, std::string& json_file) {
    command.add_flag("--quick", where.quick, "one short round of everything");
    command.add_flag("--tiny", where.tiny, "just enough to see that everything works")->group("");
    auto* rounds =
        command
            .add_option("--rounds", where.rounds, "rounds to take the median of; 3, with --quick 1")
            ->check(CLI::Range(1, 100));
    command.parse_complete_callback([&where, rounds] {
        if (rounds->empty() && (where.quick || where.tiny)) {
            where.rounds = 1;
        }
    });
    command.add_option("--json", json_file, "write the numbers to a file; - is stdout");
    command
        .add_option("--server-programs", where.server_programs,
                    "folder with initdb and postgres of the private server")
        ->envname("POSTRIDER_BENCH_SERVER");
    command.add_option("--database", where.database,
                       "a server to use; databases postrider_bench_* are made and dropped there");
}

void add_peer_programs(CLI::App& command, lab_options& where) {
    command.add_option("--programs", where.peer_programs, "where the peers from npm are installed")
        ->envname("POSTRIDER_BENCH_PEERS");
}

void add_suite(CLI::App& app, const suite& chosen, suite_options& options) {
    auto* command = app.add_subcommand(chosen.name, chosen.meaning);
    command->footer(where_it_runs + fmt::format("Examples:\n"
                                                "  postrider-bench {0} --quick\n"
                                                "  postrider-bench {0} --json result.json\n"
                                                "  postrider-bench {0} --only {1}\n"
                                                "  postrider-bench {0} --database "
                                                "postgresql://me@localhost/postgres",
                                                chosen.name, chosen.example));
    add_lab_options(*command, options.where, options.json_file);
    if (chosen.beside_peers) {
        add_peer_programs(*command, options.where);
    }
    std::vector<std::string> names;
    for (const auto& one : chosen.scenarios) {
        names.emplace_back(one.name);
    }
    command->add_option("--only", options.only, "run this scenario; may be repeated")
        ->check(CLI::IsMember(names));
    command->callback([&chosen, &options] { run_suite(chosen, options); });
}

void add_peers(CLI::App& app, peers_options& options) {
    auto* command = app.add_subcommand("peers", "Postrider beside other queues in PostgreSQL");
    command->footer(
        std::string(where_it_runs) +
        "The systems take turns. With --only or --system the other figures of an existing file\n"
        "are kept. ./dev bench peers installs the peers first.\n\n"
        "Examples:\n"
        "  postrider-bench peers --quick\n"
        "  postrider-bench peers --json peers.json\n"
        "  postrider-bench peers --only drain --system pgmq --system postrider");
    add_lab_options(*command, options.where, options.json_file);
    command->add_option("--only", options.only, "measure this; may be repeated")
        ->check(CLI::IsMember({"drain", "publish", "latency", "pinned", "due"}));
    std::vector<std::string> names;
    for (const auto& one : all_peers({})) {
        names.push_back(one->name());
    }
    command->add_option("--system", options.systems, "measure this system; may be repeated")
        ->check(CLI::IsMember(names));
    add_peer_programs(*command, options.where);
    command->callback([&options] {
        in_lab(options.where, [&](const lab& where) { run_peers_on(where, options); });
    });
}

void add_scale(CLI::App& app, scale_options& options) {
    auto* command = app.add_subcommand("scale", "Whether costs grow faster than the work");
    command->footer(std::string(where_it_runs) +
                    "Examples:\n"
                    "  postrider-bench scale --quick\n"
                    "  postrider-bench scale --json scale.json --only backlog");
    add_lab_options(*command, options.where, options.json_file);
    command->add_option("--only", options.only, "measure this curve; may be repeated")
        ->check(CLI::IsMember(curve_names()));
    command->callback([&options] {
        in_lab(options.where, [&](const lab& where) { run_scale_on(where, options); });
    });
}

void add_page(CLI::App& app, page_options& options) {
    auto* command = app.add_subcommand("page", "Puts results into docs/benchmarks.md, with charts");
    command->footer(
        "Examples:\n"
        "  postrider-bench page .           writes the page from bench/results\n"
        "  postrider-bench page . --check   fails when it would change something");
    command->add_option("root", options.root, "the repository")->required();
    command->add_flag("--check", options.check, "change nothing; fail when something would change");
    command->callback([&options] { write_page(options); });
}

void add_consume(CLI::App& app, consume_options& options) {
    auto* command = app.add_subcommand("consume", "A consumer process; started by peers");
    command->group("");
    command->add_option("system", options.system)->required();
    command->add_option("mode", options.mode)->required();
    command->add_option("batch", options.batch)->required();
    command->add_option("connections", options.connections)->required();
    command->add_option("count", options.count)->required();
    command->callback([&options] { consume(options); });
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
        {"due", "Priorities, delays, retries and replays beside the peers, by numbers",
         due_scenarios(), "priority", true},
        {"jobs", "Order by key, limits, unique jobs and schedules, by numbers", jobs_scenarios(),
         "ordered"},
#ifdef POSTRIDER_BENCH_BROKERS
        {"brokers", "Relays to brokers and workers on brokers beside bare clients, by numbers",
         brokers_scenarios(), "relay_nats"},
#endif
        {"languages", "Handlers in other languages beside the peers, by numbers",
         languages_scenarios(), "node", true},
        {"surface", "The operator's page over a full log, by numbers", surface_scenarios(),
         "crowded"},
    };
    suite_options options;
    for (const auto& one : suites) {
        add_suite(app, one, options);
    }
    peers_options beside;
    add_peers(app, beside);
    scale_options growth;
    add_scale(app, growth);
    page_options page;
    add_page(app, page);
    consume_options consumer;
    add_consume(app, consumer);
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
