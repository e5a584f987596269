// postrider-chaos: injects faults around a running Postrider and checks that no message was lost.
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <fstream>

#include "chaos/check/verdict.hpp"
#include "chaos/conductor.hpp"
#include "chaos/working.hpp"

namespace {

using namespace postrider::chaos;
namespace fs = std::filesystem;

constexpr auto longest_transaction = std::chrono::seconds(60);

struct run_arguments {
    run_options options;
    int seconds = 60;
    int drain_s = 90;
    std::string faults;
    std::string json;
    std::string directory;
    std::string broker;
    bool keep = false;
    int sweep_ms = 0;
    int claim_ms = 0;
    int long_transaction_s = 0;
};

// Open to the user that runs the server.
fs::path new_directory() {
    const char* base = std::getenv("TMPDIR");
    std::string name = std::string(base == nullptr ? "/tmp" : base) + "/postrider-chaos.XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory in " + name);
    }
    ::chmod(name.c_str(), 0755);
    return name;
}

int tell(const verdict& found, const std::string& json) {
    if (!json.empty()) {
        std::ofstream(json) << to_json(found) << "\n";
    }
    fmt::print("{}{}\n", describe(found), last_line(found));
    return found.good() ? 0 : 1;
}

int run(run_arguments& arguments) {
    auto& options = arguments.options;
    options.length = std::chrono::seconds(arguments.seconds);
    options.drain_timeout = std::chrono::seconds(arguments.drain_s);
    for (auto rest = std::string_view(arguments.faults); !rest.empty();) {
        const auto end = std::min(rest.find(','), rest.size());
        options.faults.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (arguments.sweep_ms > 0) {
        options.on.tempo.sweep = std::chrono::milliseconds(arguments.sweep_ms);
        options.on.tempo.poll = std::chrono::milliseconds(arguments.sweep_ms);
    }
    if (arguments.claim_ms > 0) {
        options.on.tempo.claim_within = std::chrono::milliseconds(arguments.claim_ms);
    }
    options.on.long_transaction =
        arguments.long_transaction_s > 0
            ? std::chrono::milliseconds(arguments.long_transaction_s * 1000LL)
            : std::min<std::chrono::milliseconds>(longest_transaction, options.length / 2);
    options.on.broker = !arguments.broker.empty();
    options.on.program = fs::read_symlink("/proc/self/exe");
    options.on.directory =
        arguments.directory.empty() ? new_directory() : fs::path(arguments.directory);
    fs::create_directories(options.on.directory);
    fmt::print("seed {}, histories in {}\n", options.on.seed, options.on.directory.string());
    std::fflush(stdout);
    conduct(options);
    const auto found = check(options.on.directory);
    const int status = tell(found, arguments.json);
    if (status == 0 && !arguments.keep && arguments.directory.empty()) {
        fs::remove_all(options.on.directory);
    }
    return status;
}

void add_run(CLI::App& to, run_arguments& arguments) {
    auto* made = to.add_subcommand("run", "Run processes and a server, inject faults, then check");
    made->add_option("--seconds", arguments.seconds, "duration of the faults in seconds")
        ->check(CLI::Range(5, 1'000'000));
    made->add_option("--seed", arguments.options.on.seed,
                     "seed of the plan: the same seed gives the same faults");
    made->add_option("--faults", arguments.faults,
                     "names of faults, separated by commas; `all` (default): all but promote; "
                     "`none`: no faults");
    made->add_option("--json", arguments.json, "file for the result of the checks");
    made->add_option("--directory", arguments.directory, "directory of the histories; it is kept");
    made->add_flag("--keep", arguments.keep, "keep the histories also when all checks pass");
    made->add_flag("--quiet", arguments.options.quiet, "print no progress");
    made->add_option("--broker", arguments.broker,
                     "nats: a relay to a NATS server, workers behind it, and faults of all three")
        ->check(CLI::IsMember({"nats"}));
    made->add_option("--rate", arguments.options.on.rate,
                     "messages per second; 0: only those of faults");
    made->add_option("--workers", arguments.options.on.office_workers, "worker processes");
    made->add_option("--sweep-ms", arguments.sweep_ms, "interval of the workers' sweep");
    made->add_option("--claim-ms", arguments.claim_ms,
                     "maximum time until a due message is claimed");
    made->add_option("--long-transaction-s", arguments.long_transaction_s,
                     "duration of the publishers' longest transactions (default: 60 s, at most "
                     "half of the run)")
        ->check(CLI::Range(1, 86'400));
    made->add_option("--drain-s", arguments.drain_s,
                     "seconds without a handled message, after the faults, until the messages "
                     "that are left count as lost (default 90)")
        ->check(CLI::Range(1, 86'400));
    made->add_option("--break", arguments.options.broken,
                     "switch a safety rule off: fence, late_committers, listen, keeper or order");
}

void add_publish(CLI::App& to, publisher_options& arguments, int& long_ms) {
    auto* made = to.add_subcommand("publish", "One publisher process of a run")->group("");
    made->add_option("--name", arguments.name)->required();
    made->add_option("--database", arguments.database)->required();
    made->add_option("--directory", arguments.directory)->required();
    made->add_option("--rate", arguments.rate);
    made->add_option("--long-ms", long_ms);
    made->add_option("--seed", arguments.seed);
}

void add_work(CLI::App& to, working_options& arguments, int& sweep_ms, int& poll_ms) {
    auto* made = to.add_subcommand("work", "One worker process of a run")->group("");
    made->add_option("--name", arguments.name)->required();
    made->add_option("--database", arguments.database)->required();
    made->add_option("--directory", arguments.directory)->required();
    made->add_option("--consumer", arguments.consumer)->required();
    made->add_option("--generation", arguments.generation);
    made->add_option("--broker", arguments.broker);
    made->add_option("--sweep-ms", sweep_ms);
    made->add_option("--poll-ms", poll_ms);
}

int list_faults() {
    for (const auto& one : all_faults()) {
        fmt::print("{:<20} {}\n", one.name, one.meaning);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App program(
        "Injects faults around a running Postrider and checks that no message is lost");
    program.require_subcommand(1);
    program.footer(
        "Examples:\n"
        "  postrider-chaos run --seconds 60 --seed 7 --json chaos.json\n"
        "  postrider-chaos run --faults kill_worker,half_open\n"
        "  postrider-chaos check /tmp/postrider-chaos.Ab12Cd");
    run_arguments running;
    publisher_options publishing;
    working_options working;
    int sweep_ms = 30000;
    int poll_ms = 1000;
    int long_ms = 60000;
    std::string directory;
    std::string json;
    add_run(program, running);
    auto* checking = program.add_subcommand("check", "Check the histories of a run again");
    checking->add_option("directory", directory)->required()->check(CLI::ExistingDirectory);
    checking->add_option("--json", json, "file for the result of the checks");
    auto* faults = program.add_subcommand("faults", "List all faults");
    add_publish(program, publishing, long_ms);
    add_work(program, working, sweep_ms, poll_ms);
    CLI11_PARSE(program, argc, argv);
    try {
        if (program.got_subcommand("run")) {
            return run(running);
        }
        if (program.got_subcommand(checking)) {
            return tell(check(directory), json);
        }
        if (program.got_subcommand(faults)) {
            return list_faults();
        }
        if (program.got_subcommand("publish")) {
            publishing.long_transaction = std::chrono::milliseconds(long_ms);
            return run_publisher(publishing);
        }
        working.tempo.sweep = std::chrono::milliseconds(sweep_ms);
        working.tempo.poll = std::chrono::milliseconds(poll_ms);
        return run_worker(working);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "postrider-chaos: {}\n", problem.what());
        return 2;
    }
}
