#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <postrider/error.hpp>
#include <postrider/migrate.hpp>

#include "cli/doctor/doctor.hpp"
#include "pg/conninfo.hpp"
#include "pg/watchdog.hpp"
#include "worker/doorbell/listener.hpp"

namespace postrider::cli {
namespace {

using store::level;
using namespace std::chrono_literals;

constexpr auto check_limit = 10s;

findings examine_connection(const std::string& database, const store::session_facts& facts) {
    findings found{
        {"connection", level::ok,
         fmt::format("{} as {}, a round trip takes {:.1f} ms", pg::describe_conninfo(database),
                     facts.role, facts.round_trip_seconds * 1000)}};
    if (!facts.local && !facts.encrypted) {
        found.push_back({"connection", level::warning, "the connection is not encrypted",
                         "payloads and passwords can be read on the network",
                         "add sslmode=verify-full to the URL"});
    }
    return found;
}

// A pooler reports a backend process id of its own.
findings examine_pooler(bool pooled, bool receives) {
    if (!pooled) {
        return {{"pooler", level::ok, "direct connection to the server"}};
    }
    return {{"pooler", receives ? level::note : level::warning,
             receives ? "the connection goes through a pooler in session mode"
                      : "the connection goes through a pooler that is not in session mode",
             "workers need a dedicated session for LISTEN and for the doorbell",
             "connect workers directly to the server, or to a pool in session mode"}};
}

findings examine_notify(const std::string& database, pg::connection& session, bool& receives) {
    pg::watchdog watchdog;
    working::listener listener({database, "postrider_doctor", 5s}, watchdog);
    listener.open();
    receives = listener.probe(session);
    if (receives) {
        return {{"notify", level::ok, "notifications arrive"}};
    }
    return {{"notify", level::warning, "a notification did not arrive within two seconds",
             "workers on such a connection poll: higher latency and more load on the server",
             "connect workers directly to the server, not to a pooler in transaction mode"}};
}

findings examine_migrations(const std::string& database) {
    const auto report = migration_status({.database = database, .log = {}});
    if (report.version == 0) {
        return {{"schema", level::problem, "the database has no schema postrider",
                 "all commands and workers need it", "postrider migrate up"}};
    }
    findings found;
    for (const auto& one : report.migrations) {
        if (one.drifted) {
            found.push_back({"schema", level::problem,
                             "migration " + one.name + " was applied with different content",
                             "tables may differ from what this program expects",
                             "use the release that applied the migration, or restore the file"});
        }
    }
    if (report.version < report.known_version) {
        found.push_back({"schema", level::problem,
                         fmt::format("the schema has version {}, this program needs {}",
                                     report.version, report.known_version),
                         "this program refuses to run", "postrider migrate up"});
    } else if (report.version > report.known_version) {
        const bool breaking = std::ranges::any_of(report.migrations, [&](const auto& one) {
            return one.breaking && one.version > report.known_version;
        });
        found.push_back({"schema", breaking ? level::problem : level::warning,
                         fmt::format("the schema has version {}, this program supports {}",
                                     report.version, report.known_version),
                         breaking
                             ? "a migration that breaks older programs was applied: this program "
                               "refuses to run"
                             : "a newer program is in use: the checks of this program may be wrong",
                         "install the release that migrated the database"});
    } else if (!report.functions_current) {
        found.push_back({"schema", level::warning, "functions and views are from another release",
                         "functions that this program calls may be missing",
                         "postrider migrate up"});
    }
    if (found.empty()) {
        found.push_back({"schema", level::ok,
                         fmt::format("version {}, as required by this program", report.version)});
    }
    return found;
}

class record {
  public:
    void add(const findings& more) { all_.insert(all_.end(), more.begin(), more.end()); }
    template <typename Check>
    void add(const char* check, const Check& make) {
        try {
            add(make());
        } catch (const error& problem) {
            all_.push_back({check, level::warning, std::string("check failed: ") + problem.what(),
                            "a problem in this area stays undetected",
                            "resolve the other findings first, then run postrider doctor again"});
        }
    }
    findings take() { return std::move(all_); }

  private:
    findings all_;
};

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

void examine_session(record& all, const std::string& database, pg::connection& session) {
    const auto before = now_seconds();
    const auto facts = store::facts_of(session);
    const auto middle = before + (now_seconds() - before) / 2;
    all.add(examine_connection(database, facts));
    all.add(examine_version(session.server_version()));
    all.add(examine_clock(facts.clock_seconds - middle, facts.round_trip_seconds));
    bool receives = false;
    all.add("notify", [&] { return examine_notify(database, session, receives); });
    all.add(examine_pooler(facts.backend_pid != session.backend_pid(), receives));
}

}  // namespace

void require_checks(const std::vector<std::string>& names) {
    std::vector<std::string> known{"connection", "version", "clock",    "notify",
                                   "pooler",     "schema",  "functions"};
    for (const auto& checks : {store::server_checks(), store::engine_checks()}) {
        for (const auto& check : checks) {
            known.emplace_back(check.name);
        }
    }
    for (const auto& name : names) {
        if (std::ranges::find(known, name) == known.end()) {
            throw usage_error(fmt::format("--ignore: unknown check '{}'; known: {}", name,
                                          fmt::join(known, ", ")));
        }
    }
}

findings examine(const std::string& database, std::chrono::milliseconds overdue_after,
                 const std::string& deployment) {
    record all;
    try {
        pg::connection session(database);
        store::prepare_examination(session, check_limit, overdue_after, deployment);
        examine_session(all, database, session);
        all.add("schema", [&] { return examine_migrations(database); });
        const auto stored = store::stored_functions(session);
        if (!stored.empty()) {
            all.add(examine_functions(stored));
        }
        for (const auto& check : store::server_checks()) {
            all.add(store::examine(session, check));
        }
        if (!stored.empty()) {
            for (const auto& check : store::engine_checks()) {
                all.add(store::examine(session, check));
            }
        }
    } catch (const error& problem) {
        if (!problem.connection_lost()) {
            throw;
        }
        all.add(findings{{"connection", level::problem, problem.what(),
                          "no check can run without a connection",
                          "check the address, pg_hba.conf, and that the server is running"}});
    }
    return all.take();
}

}  // namespace postrider::cli
