#include "migrate/migrator.hpp"

#include <algorithm>
#include <chrono>
#include <postrider/error.hpp>
#include <span>
#include <thread>

#include "migrate/contract.hpp"
#include "migrate/native.hpp"
#include "migrate/recorded.hpp"
#include "migrate/surroundings.hpp"
#include "pg/transaction.hpp"

namespace postrider::migrate {
namespace {

// Held by the session, not a transaction: a run is many transactions.
class run_lock {
  public:
    run_lock(pg::connection& session, const migrator::log_sink& log) : session_(session) {
        constexpr auto report_after = std::chrono::seconds(1);
        constexpr auto lock_timeout = std::chrono::minutes(15);
        const auto began = std::chrono::steady_clock::now();
        bool reported = !log;
        // Polled: a statement that waits for the lock holds a snapshot, and a `create index
        // concurrently` of the run that has the lock would wait for that snapshot.
        while (!session_.exec("select pg_try_advisory_lock(7233175, 1)").get<bool>(0, 0)) {
            const auto waited = std::chrono::steady_clock::now() - began;
            if (waited > lock_timeout) {
                throw error(errc::database_error,
                            "the lock of migrations is held by " + holder() +
                                "; end that session if it is no migration",
                            {.sqlstate = "55P03", .operation = "migrate", .retryable = true});
            }
            if (!reported && waited > report_after) {
                log("waiting for another migration: " + holder());
                reported = true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    run_lock(const run_lock&) = delete;
    run_lock& operator=(const run_lock&) = delete;
    ~run_lock() {
        try {
            session_.exec("select pg_advisory_unlock(7233175, 1)");
        } catch (const std::exception&) {
            // A lost session has lost its locks as well.
        }
    }

  private:
    // Any database user can take the lock. Uses no function of the schema, which may not exist yet.
    std::string holder() const {
        return session_
            .exec(
                "select coalesce(string_agg(format('pid %s (user %s, application %s)', a.pid,"
                " a.usename, a.application_name), ', '), 'a session that has just ended')"
                " from pg_locks l join pg_stat_activity a on a.pid = l.pid"
                " where l.locktype = 'advisory' and l.granted and l.objsubid = 2"
                " and l.classid = 7233175 and l.objid = 1 and l.database = a.datid")
            .get<std::string>(0, 0);
    }

    pg::connection& session_;
};

// Roles belong to the whole cluster and are not protected by the run's lock: another database may
// be migrated at the same time.
bool is_role_race(const error& problem) {
    return problem.sqlstate() == "23505" || problem.sqlstate() == "42710" ||
           problem.sqlstate() == "XX000" || problem.sqlstate() == "40001";
}

// Adds the name of the file to an error.
template <typename Action>
void naming_the_file(const sql_file& file, Action action) {
    try {
        action();
    } catch (const connection_error&) {
        throw;
    } catch (const commit_unknown_error&) {
        throw;
    } catch (const error& problem) {
        throw error(problem.code(), "sql/" + std::string(file.path) + ": " + problem.what(),
                    {.sqlstate = problem.sqlstate(),
                     .operation = "migrate",
                     .retryable = problem.retryable()});
    }
}

void record(pg::connection& session, const migration& step) {
    session.exec_params(
        "insert into postrider.migration (version, name, sha256, breaking) values ($1, $2, $3, $4)",
        pg::params(step.version, step.file.name, step.file.sha256, step.file.breaking));
}

}  // namespace

migrator::migrator(std::span<const embedded_file> files, log_sink log)
    : files_(files), log_(std::move(log)) {}

void migrator::say(const std::string& line) const {
    if (log_) {
        log_(line);
    }
}

migrate_report migrator::up(pg::connection& session) {
    session.exec(std::string(migration_settings));
    const run_lock lock(session, log_);
    const auto before = read_recorded(session);
    refuse_newer(before, files_.version());
    refuse_drift(before, files_.migrations);

    migrate_report report;
    report.version_before = before.version();
    report.version_after = std::max(report.version_before, files_.version());
    const auto digest = manifest_digest(session, files_.function_set_manifest);
    // Numbered 1, 2, 3 ... without a gap, so the version is also how many are done.
    const auto pending =
        std::span(files_.migrations).subspan(static_cast<std::size_t>(before.version()));
    // Open sessions keep the plans of functions. A plan that reads a column out of a row variable
    // is not made again when a migration changes the column's type, only when its function is
    // replaced.
    const bool replace = before.function_set_digest != digest || !pending.empty();
    if (replace) {
        apply_roles(session);
    }
    for (const auto& step : pending) {
        say("migration " + std::string(step.file.name));
        naming_the_file(step.file, [&] { apply(session, step); });
        report.applied.emplace_back(step.file.name);
    }
    if (replace) {
        say("functions, views and grants");
        replace_functions(session, digest);
        report.functions_replaced = true;
    }
    report.native = apply_native(session);
    return report;
}

void migrator::apply_roles(pg::connection& session) const {
    if (!files_.roles) {
        return;
    }
    constexpr int attempts_max = 10;
    for (int attempt = 1;; ++attempt) {
        try {
            pg::transaction work(session);
            session.exec(std::string(files_.roles->text));
            work.commit();
            return;
        } catch (const error& problem) {
            if (attempt == attempts_max || !is_role_race(problem)) {
                naming_the_file(*files_.roles, [] { throw; });
            }
        }
    }
}

void migrator::apply(pg::connection& session, const migration& step) const {
    if (step.file.no_transaction) {
        for (const auto statement : split_statements(step.file.text)) {
            session.exec(std::string(statement));
        }
        record(session, step);
        return;
    }
    pg::transaction work(session);
    session.exec(std::string(step.file.text));
    record(session, step);
    work.commit();
}

void migrator::replace_functions(pg::connection& session, const std::string& digest) const {
    pg::transaction work(session);
    // Dependent objects are dropped first.
    for (auto file = files_.functions.rbegin(); file != files_.functions.rend(); ++file) {
        naming_the_file(*file, [&] {
            for (const auto& drop : file->drops) {
                session.exec(drop);
            }
        });
    }
    session.exec(files_.function_grants);
    for (const auto& file : files_.functions) {
        naming_the_file(file, [&] {
            session.exec(std::string(file.text));
            if (const auto comment = comment_on(file); !comment.empty()) {
                session.exec(comment);
            }
        });
    }
    session.exec("delete from postrider.function_set");
    session.exec_params("insert into postrider.function_set (digest) values ($1)",
                        pg::params(digest));
    work.commit();
}

std::string migrator::apply_native(pg::connection& session) const {
    pg::transaction work(session);
    auto state = migrate::apply_native(session, files_, [this](const auto& line) { say(line); });
    work.commit();
    return state;
}

migration_report migrator::status(pg::connection& session) const {
    session.exec(std::string(migration_settings));
    const auto recorded = read_recorded(session);
    migration_report report;
    report.version = recorded.version();
    report.known_version = files_.version();
    report.functions_current =
        recorded.function_set_digest == manifest_digest(session, files_.function_set_manifest);
    for (const auto& row : recorded.migrations) {
        report.migrations.push_back({row.version, row.name, row.breaking, true,
                                     is_drifted(row, files_.migrations), row.applied_at});
    }
    for (const auto& step : files_.migrations) {
        if (step.version > report.version) {
            report.migrations.push_back(
                {step.version, std::string(step.file.name), step.file.breaking, false, false, ""});
        }
    }
    report.current = report.version == report.known_version && report.functions_current &&
                     std::ranges::none_of(report.migrations, &migration_entry::drifted);
    report.native = files_.native ? native_state(session) : "off";
    return report;
}

}  // namespace postrider::migrate
