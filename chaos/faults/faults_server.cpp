// Faults of the server: its sessions end, it crashes, its disk is full.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "chaos/faults/faults.hpp"
#include "embedded/postmaster.hpp"

namespace postrider::chaos {
namespace {

using namespace std::chrono_literals;

constexpr const char* sessions_of_the_play =
    " from pg_stat_activity where usename in ('chaos_worker', 'chaos_publisher')";

fault::undo revive() {
    return [](testbed& later) { later.revive_server(); };
}

/// The server may have lost transactions that were not flushed; the checker needs the time.
void tell_crash(testbed& on) {
    on.forget_session();
    on.log().write({.kind = "server_crashed"});
}

fault::undo terminate_some(testbed& on, random_source& random) {
    record_hit(on, "pg_terminate_backend", "some");
    on.try_sql("select pg_terminate_backend(pid)" + std::string(sessions_of_the_play) +
               " order by md5(pid::text) limit " + std::to_string(random.between(1, 4)));
    return nothing();
}

fault::undo terminate_all(testbed& on, random_source&) {
    record_hit(on, "pg_terminate_backend", "all");
    on.try_sql("select pg_terminate_backend(pid)" + std::string(sessions_of_the_play));
    return nothing();
}

// When one backend is killed, the server ends all sessions: shared memory may be corrupt.
fault::undo kill_backend(testbed& on, random_source&) {
    const auto pid = std::atoi(
        on.value("select pid" + std::string(sessions_of_the_play) + " order by random() limit 1")
            .c_str());
    if (pid > 1) {
        tell_crash(on);
        record_hit(on, "SIGKILL", "a backend");
        ::kill(pid, SIGKILL);
    }
    return revive();
}

fault::undo signal_server(testbed& on, int number, const char* name) {
    if (const auto postmaster = embedded::find_postmaster(on.server().where().cluster)) {
        tell_crash(on);
        record_hit(on, name, "the server");
        ::kill(*postmaster, number);
    }
    return revive();
}

fault::undo kill_server(testbed& on, random_source&) {
    return signal_server(on, SIGKILL, "SIGKILL");
}
// SIGQUIT is PostgreSQL's immediate shutdown.
fault::undo shut_down_at_once(testbed& on, random_source&) {
    return signal_server(on, SIGQUIT, "SIGQUIT");
}

fault::undo restart(testbed& on, random_source& random) {
    record_hit(on, "fast shutdown", "the server");
    on.forget_session();
    try {
        on.server().stop_anyway();
    } catch (const std::exception&) {
        // PostgreSQL 15 that is asked to stop while it recovers from a crash may wait for ever for
        // its own checkpointer.
        return kill_server(on, random);
    }
    return revive();
}

fault::undo limit_connections(testbed& on, random_source& random) {
    const auto allowed = std::to_string(random.between(1, 6));
    record_hit(on, "connection limit " + allowed, "workers");
    on.try_sql("alter role chaos_worker connection limit " + allowed);
    on.try_sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = "
        "'chaos_worker'");
    return [](testbed& later) { later.try_sql("alter role chaos_worker connection limit -1"); };
}

// An idle old transaction with a transaction id: vacuum cannot remove dead rows meanwhile.
fault::undo pin_xmin(testbed& on, random_source&) {
    auto holder = std::make_shared<std::optional<pg::connection>>();
    try {
        holder->emplace(on.server().conninfo() + " application_name=pin connect_timeout=5");
        (*holder)->exec(
            "begin isolation level repeatable read; select pg_current_xact_id();"
            " select count(*) from postrider.consumer");
    } catch (const std::exception&) {
        holder->reset();
    }
    return [holder](testbed&) { holder->reset(); };
}

// Fills the disk, then makes the server need more space.
fault::undo fill_disk(testbed& on, random_source&) {
    const auto ballast = on.ballast();
    if (ballast.empty()) {
        return nothing();
    }
    tell_crash(on);
    record_hit(on, "disk full", "the server");
    {
        std::ofstream file(ballast, std::ios::binary);
        const std::string piece(1U << 16U, 'x');
        while (file.write(piece.data(), static_cast<std::streamsize>(piece.size())) &&
               file.flush()) {
        }
    }
    for (int i = 0; i < 12; ++i) {
        if (!on.try_sql("select pg_logical_emit_message(false, 'chaos', 'x'), pg_switch_wal()")) {
            break;
        }
    }
    return [ballast](testbed& later) {
        std::filesystem::remove(ballast);
        later.log().write({.kind = "server_crashed"});
        later.revive_server();
    };
}

fault::undo promote(testbed& on, random_source&) {
    return on.promote_standby() ? fault::undo([](testbed& later) { later.make_standby(); })
                                : nothing();
}

std::string no_small_disk() {
    return ::geteuid() == 0 ? "" : "mounting a small disk requires root";
}

}  // namespace

std::vector<fault> server_faults() {
    return {
        {"terminate_some", "pg_terminate_backend of a few sessions", 0ms, 0ms, terminate_some},
        {"terminate_all", "pg_terminate_backend of all sessions", 0ms, 0ms, terminate_all},
        {"kill_backend", "kill -9 of one backend: the server restarts", 1000ms, 1500ms,
         kill_backend},
        {"kill_server", "kill -9 of the whole server", 300ms, 2000ms, kill_server},
        {"immediate", "immediate shutdown of the server", 300ms, 2000ms, shut_down_at_once},
        {"restart", "fast shutdown of the server", 300ms, 1500ms, restart},
        {"connection_limit", "workers get fewer sessions than they need", 2000ms, 4000ms,
         limit_connections},
        {"pin_xmin", "an old transaction stays open", 5000ms, 10000ms, pin_xmin},
        {"promote",
         "the primary is killed and its standby takes over",
         1000ms,
         2000ms,
         promote,
         {},
         true},
        {"disk_full", "the disk with the server's log is full", 1500ms, 3000ms, fill_disk,
         no_small_disk},
    };
}

}  // namespace postrider::chaos
