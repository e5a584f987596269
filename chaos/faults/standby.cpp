// A standby that follows the primary and takes over. Replication is synchronous, so committed
// messages survive a promotion; claims and reports of workers commit asynchronously.
#include <unistd.h>

#include <csignal>
#include <thread>

#include "chaos/faults/faults.hpp"
#include "chaos/testbed.hpp"
#include "embedded/binaries.hpp"
#include "embedded/postmaster.hpp"

namespace postrider::chaos {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

constexpr auto follow_timeout = 8s;

// The server's user makes the copy, in a directory that is its own.
void copy_cluster(const embedded::server& from, const fs::path& to) {
    fs::create_directories(to);
    const auto user = embedded::unprivileged_user();
    if (user && ::chown(to.c_str(), user->uid, user->gid) != 0) {
        throw std::runtime_error("cannot give " + to.string() + " to " + user->name);
    }
    fs::permissions(to, fs::perms::owner_all);
    // The server's programs may be links to where all of them are.
    const auto server = embedded::find_binaries({}).directory / "postgres";
    const auto program = fs::canonical(server).parent_path() / "pg_basebackup";
    const auto outcome = embedded::run_command(
        {program.string(), "--pgdata", to.string(), "--host", from.where().sockets.string(),
         "--port", "5432", "--username", "postrider", "--write-recovery-conf", "--wal-method",
         "stream", "--checkpoint", "fast"},
        user, to);
    if (!outcome.succeeded()) {
        throw std::runtime_error("pg_basebackup: " + outcome.output);
    }
}

}  // namespace

void testbed::make_standby() {
    // The copy inherits it: replaying a cleanup must not cancel the statement that promotes it.
    try_sql("alter system set max_standby_streaming_delay = -1");
    try {
        const auto data_dir = options_.directory / ("standby" + std::to_string(++standbys_));
        auto made = make_server(data_dir);
        copy_cluster(*server_, made->where().cluster);
        made->start();
        standby_ = std::move(made);
    } catch (const std::exception& problem) {
        // The primary has a fault at the moment: there is no further promotion.
        record said{.kind = "refused"};
        log_.write(said.add("sql", "make a standby").add("why", problem.what()));
        return;
    }
    try_sql("alter system set synchronous_standby_names = '*'");
    try_sql("select pg_reload_conf()");
}

bool testbed::promote_standby() {
    // A standby that lags behind after a crash of the primary lacks transactions that clients have
    // seen.
    const auto deadline = now() + std::chrono::microseconds(follow_timeout).count();
    const auto follows = [this] {
        return value(
                   "select count(*) from pg_stat_replication where state = 'streaming'"
                   " and sync_state in ('sync', 'quorum')"
                   " and flush_lsn >= pg_current_wal_flush_lsn() - 65536::numeric") == "1";
    };
    while (standby_ && !follows() && now() < deadline) {
        std::this_thread::sleep_for(50ms);
    }
    const auto postmaster = embedded::find_postmaster(server_->where().cluster);
    if (!standby_ || !postmaster || !follows()) {
        return false;
    }
    forget_session();
    log_.write({.kind = "server_crashed"});
    record_hit(*this, "SIGKILL", "the primary");
    ::kill(*postmaster, SIGKILL);
    const auto socket = (standby_->where().sockets / ".s.PGSQL.5432").string();
    for (const auto& gate : {worker_gate_.get(), publisher_gate_.get()}) {
        gate->lead_to(socket);
        gate->cut();
    }
    server_ = std::move(standby_);
    session().exec("select pg_promote(true, 60)");
    forget_session();
    log_.write({.kind = "server_crashed"});
    return true;
}

}  // namespace postrider::chaos
