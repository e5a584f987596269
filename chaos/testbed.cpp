#include "chaos/testbed.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <postrider/migrate.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/descriptor.hpp"
#include "embedded/run_command.hpp"

namespace postrider::chaos {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr instant respawn_after = 200'000;

}  // namespace

std::unique_ptr<embedded::server> make_server(const fs::path& data_dir) {
    return std::make_unique<embedded::server>(embedded::server_options{
        .data_dir = data_dir,
        .fsync = true,
        // A run of an hour has some sixty generations, each with a worker of its own.
        .settings = {{"max_connections", "500"},
                     {"shared_buffers", "64MB"},
                     {"max_wal_size", "64MB"},
                     {"min_wal_size", "32MB"},
                     // The server's own log has times in milliseconds.
                     {"log_checkpoints", "off"},
                     {"wal_retrieve_retry_interval", "500ms"},
                     {"restart_after_crash", "on"}}});
}

testbed::testbed(testbed_options options)
    : options_(std::move(options)),
      log_(options_.directory / "conductor.history"),
      server_(make_server(options_.directory / "server")),
      own_(log_, "conductor") {}

testbed::~testbed() {
    parts_.clear();
    for (auto* one : {standby_.get(), server_.get()}) {
        try {
            if (one != nullptr) {
                one->stop_anyway();
            }
        } catch (const std::exception&) {
            // A failure to stop it does not matter: it is a private server.
        }
    }
    if (options_.full_disk) {
        ::umount2((options_.directory / "disk").c_str(), MNT_DETACH);
    }
}

void testbed::open() {
    server_->start();
    if (options_.full_disk) {
        move_wal();
    }
    const auto socket = (server_->where().sockets / ".s.PGSQL.5432").string();
    worker_gate_ = std::make_unique<test::tcp_gate>(socket);
    publisher_gate_ = std::make_unique<test::tcp_gate>(socket);
    prepare_database();
    const auto& times = options_.tempo;
    record bounds{.kind = "bounds"};
    bounds.add("sweep_ms", times.sweep.count()).add("alive_ms", times.alive_for.count());
    bounds.add("timeout_ms", times.timeout.count());
    bounds.add("claim_ms", times.claim_within.count());
    bounds.add("start_ms", times.start_within.count());
    bounds.add("keeper_ms", times.keeper_replaced_within.count());
    log_.write(bounds);
    for (int i = 1; i <= options_.office_workers; ++i) {
        parts_.push_back({.name = "office-" + std::to_string(i), .consumer = "office"});
    }
    parts_.push_back({.name = "archive-1", .consumer = "archive"});
    if (options_.broker) {
        open_broker();
    }
    for (int i = 1; i <= options_.audit_workers; ++i) {
        parts_.push_back({.name = "audit-" + std::to_string(i), .consumer = "audit"});
    }
    for (int i = 1; i <= options_.ledger_workers; ++i) {
        parts_.push_back(
            {.name = "ledger-" + std::to_string(i), .consumer = std::string(ordered_consumer)});
    }
    for (int i = 1; i <= options_.publishers && options_.rate > 0; ++i) {
        parts_.push_back({.name = "publisher-" + std::to_string(i)});
    }
    deploy();
    if (options_.standby) {
        make_standby();
    }
    tend();
}

// For a full disk, the server's WAL moves to a small file system.
void testbed::move_wal() {
    const auto disk = options_.directory / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=192m,mode=0755") != 0) {
        throw std::runtime_error(
            "disk_full needs the right to mount a small file system; leave it "
            "out of --faults");
    }
    server_->stop_anyway();
    const auto wal = server_->where().cluster / "pg_wal";
    const auto user = embedded::unprivileged_user();
    embedded::run_command({"/bin/cp", "-a", wal.string(), (disk / "wal").string()});
    fs::remove_all(wal);
    fs::create_symlink(disk / "wal", wal);
    if (user) {
        embedded::run_command({"/bin/chown", "-h", user->name, wal.string()});
    }
    server_->start();
}

fs::path testbed::ballast() const {
    return options_.full_disk ? options_.directory / "disk" / "ballast" : fs::path{};
}

void testbed::prepare_database() {
    migrate_up({.database = server_->conninfo()});
    std::ifstream file(POSTRIDER_CHAOS_JOURNAL);
    std::stringstream text;
    text << file.rdbuf();
    session().exec(text.str());
    // Circuits hold messages back on purpose, which would look like messages that no worker claims.
    session().exec(
        "update postrider.setting set value = '{\"failures\": 0}' where name = 'circuit';"
        "select postrider.set_retention('outbox', '20 seconds', '5 seconds');"
        // The log drops whole partitions, so messages may stay for a day longer than the policy
        // says.
        "select postrider.set_retention('event_handled', '2 days');"
        "select postrider.create_consumer('office', p_owner => 'chaos_worker');"
        "select postrider.create_consumer('archive', p_owner => 'chaos_worker');"
        "select postrider.create_consumer('audit', p_owner => 'chaos_worker');"
        "select postrider.create_consumer('ledger', p_owner => 'chaos_worker', p_ordering =>"
        " 'hold')");
    session().exec("insert into chaos.account select 'account ' || n from generate_series(1, " +
                   std::to_string(accounts) + ") n");
    for (const auto& one : roles()) {
        log_.write(to_record(one, "outbox_default"));
    }
}

void testbed::deploy() {
    ++generation_;
    const auto channel = channel_of(generation_);
    session().exec_params(
        "select postrider.create_consumer('office', $1, p_owner => 'chaos_worker')",
        pg::params(channel));
    log_.write(to_record(
        {.consumer = "office", .name = "office.task", .types = {std::string(generation_types)}},
        channel));
    add_generation();
}

void testbed::add_generation() {
    parts_.push_back({.name = "office-gen" + std::to_string(generation_),
                      .consumer = "office",
                      .generation = generation_});
    const auto fresh = options_.directory / "generation.new";
    std::ofstream(fresh) << generation_ << "\n";
    fs::rename(fresh, options_.directory / "generation");
}

std::string testbed::conninfo(bool of_workers, const std::string& name) const {
    const auto& through = of_workers ? *worker_gate_ : *publisher_gate_;
    return "host=127.0.0.1 port=" + std::to_string(through.port()) +
           " dbname=postrider user=" + (of_workers ? "chaos_worker" : "chaos_publisher") +
           " sslmode=disable gssencmode=disable connect_timeout=2 application_name=" + name;
}

void testbed::start(part& one) {
    one.process_name = one.name + "." + std::to_string(++one.incarnation);
    const bool works = !one.consumer.empty();
    std::vector<std::string> arguments{options_.program.string(), works ? "work" : "publish"};
    const auto add = [&](const char* name, const std::string& value) {
        arguments.emplace_back(name);
        arguments.push_back(value);
    };
    add("--name", one.process_name);
    add("--database", conninfo(works, one.process_name));
    add("--directory", options_.directory.string());
    if (works) {
        add("--consumer", one.consumer);
        if (broker_) {
            add("--broker", "nats://127.0.0.1:" + std::to_string(broker_gate_->port()));
        }
        add("--sweep-ms", std::to_string(options_.tempo.sweep.count()));
        add("--poll-ms", std::to_string(options_.tempo.poll.count()));
        if (one.generation) {
            add("--generation", std::to_string(*one.generation));
        }
    } else {
        add("--rate", std::to_string(std::max(options_.rate / options_.publishers, 1)));
        add("--long-ms", std::to_string(options_.long_transaction.count()));
        add("--seed", std::to_string(options_.seed * 1000 + parts_.size() +
                                     static_cast<std::uint64_t>(one.incarnation) * 7 +
                                     static_cast<std::uint64_t>(one.name.back())));
    }
    auto variables = std::exchange(one.next_variables, {});
    if (works && !options_.worker_faults.empty()) {
        variables["POSTRIDER_FAULTS"] = options_.worker_faults;
    }
    record said{.kind = "process_started"};
    log_.write(said.add("name", one.process_name));
    const auto path = options_.directory / (one.name + ".out");
    const descriptor output(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    one.process =
        std::make_unique<child_process>(spawn_options{.arguments = arguments,
                                                      .environment = environment_with(variables),
                                                      .output = output.get(),
                                                      .errors = output.get(),
                                                      .signal_on_parent_death = SIGKILL});
}

void testbed::tend() {
    for (auto& one : parts_) {
        if (one.process) {
            if (const auto status = one.process->ended()) {
                record said{.kind = "process_ended"};
                log_.write(said.add("name", one.process_name).add("status", *status));
                one.process.reset();
                one.stopped = false;
                one.respawn_at = now() + respawn_after;
            }
        } else if (one.wanted && now() >= one.respawn_at) {
            start(one);
        }
    }
}

part* testbed::find(const std::string& process_name) {
    for (auto& one : parts_) {
        if (one.process && one.process_name == process_name) {
            return &one;
        }
    }
    return nullptr;
}

void testbed::stop_publishers() {
    for (auto& one : parts_) {
        if (one.consumer.empty()) {
            one.wanted = false;
            if (one.process) {
                one.process->signal(SIGTERM);
                if (!one.process->wait_for(10s)) {
                    one.process->signal(SIGKILL);
                    one.process->wait_for(10s);
                }
            }
        }
    }
    tend();
}

void testbed::stop_workers() {
    for (auto& one : parts_) {
        one.wanted = false;
        if (one.process) {
            one.process->signal(SIGTERM);
        }
    }
    for (auto& one : parts_) {
        if (one.process && !one.process->wait_for(15s)) {
            one.process->signal(SIGKILL);
            one.process->wait_for(5s);
        }
    }
    tend();
}

pg::connection& testbed::session() {
    if (session_ && !session_->alive()) {
        session_.reset();
    }
    if (!session_) {
        session_.emplace(server_->conninfo() + " application_name=conductor connect_timeout=5");
    }
    return *session_;
}

bool testbed::try_sql(const std::string& sql) {
    try {
        session().exec(sql);
        return true;
    } catch (const std::exception& problem) {
        record said{.kind = "refused"};
        log_.write(said.add("sql", sql).add("why", problem.what()));
        session_.reset();
        return false;
    }
}

std::string testbed::value(const std::string& sql) {
    try {
        const auto found = session().exec(sql);
        return found.empty() ? std::string{} : std::string(found.text(0, 0));
    } catch (const std::exception&) {
        session_.reset();
        return {};
    }
}

void testbed::publish(const std::vector<message>& messages) {
    try {
        connection on(server_->conninfo() + " user=chaos_publisher application_name=conductor");
        own_.carry_out(on, {.messages = messages});
    } catch (const std::exception&) {
        // The server is down: no message was published.
    }
}

void testbed::revive_server() {
    forget_session();
    // No server starts on a full disk.
    if (const auto file = ballast(); !file.empty()) {
        fs::remove(file);
    }
    for (int tries = 0; tries < 5; ++tries) {
        try {
            server_->start();
            return;
        } catch (const std::exception& problem) {
            record said{.kind = "refused"};
            log_.write(said.add("sql", "start the server").add("why", problem.what()));
            std::this_thread::sleep_for(500ms);
        }
    }
    throw std::runtime_error("the server does not start again; its log is in " +
                             server_->where().log.string());
}

}  // namespace postrider::chaos
