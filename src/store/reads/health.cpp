#include "store/reads/health.hpp"

#include <algorithm>
#include <chrono>
#include <postrider/error.hpp>

#include "store/messages/encode.hpp"

namespace postrider::store {
namespace {

level level_of(std::string_view text) {
    for (const auto one : {level::ok, level::note, level::warning, level::problem}) {
        if (to_string(one) == text) {
            return one;
        }
    }
    throw error(errc::invalid_argument, "unknown level '" + std::string(text) + "'");
}

}  // namespace

std::string_view to_string(level how) {
    switch (how) {
        case level::ok:
            return "ok";
        case level::note:
            return "note";
        case level::warning:
            return "warning";
        case level::problem:
            break;
    }
    return "problem";
}

std::vector<finding> examine(pg::connection& session, const health_check& check) {
    // Producers choose names of channels, and workers those of handlers: there may be millions.
    constexpr int findings_max = 100;
    const std::string name(check.name);
    std::vector<finding> found;
    try {
        const auto rows =
            session.exec("select level, what, why, todo from (" + std::string(check.sql) +
                         ") f order by array_position('{problem,warning,note,ok}', level), what"
                         " limit " +
                         std::to_string(findings_max + 1));
        for (int row = 0; row < std::min(rows.rows(), findings_max); ++row) {
            found.push_back({name, level_of(rows.text(row, 0)), std::string(rows.text(row, 1)),
                             std::string(rows.text(row, 2)), std::string(rows.text(row, 3))});
        }
        if (rows.rows() > findings_max) {
            found.push_back({name, level_of(rows.text(findings_max, 0)),
                             "there are more findings of this check",
                             "only the first " + std::to_string(findings_max) + " are listed",
                             "resolve these, and check again"});
        }
    } catch (const error& problem) {
        if (!session.alive()) {
            throw;
        }
        const bool forbidden = problem.sqlstate() == "42501";
        return {{name, forbidden ? level::note : level::warning,
                 std::string("check failed: ") + problem.what(),
                 "a problem in this area stays undetected",
                 forbidden
                     ? "grant postrider_operator and pg_monitor to the role that runs this"
                     : "postrider migrate status; the schema may be older than this program"}};
    }
    if (found.empty()) {
        found.push_back({name, level::ok, std::string(check.fine)});
    }
    return found;
}

void prepare_examination(pg::connection& session, std::chrono::seconds limit,
                         std::chrono::milliseconds overdue_after, const std::string& deployment) {
    session.exec_params(
        "select set_config('statement_timeout', $1, false), set_config('lock_timeout', '1s', "
        "false),"
        " set_config('postrider.overdue_after', $2, false), set_config('timezone', 'UTC', false),"
        " set_config('intervalstyle', 'postgres', false), set_config('jit', 'off', false),"
        " set_config('search_path', 'pg_catalog, pg_temp', false),"
        " set_config('postrider.expected_deployment', $3, false)",
        pg::params(std::to_string(limit.count()) + "s", interval_text(overdue_after), deployment));
}

std::vector<stored_function> stored_functions(pg::connection& session) {
    const auto rows = session.exec(
        "select proname, prosrc from pg_catalog.pg_proc"
        " where pronamespace = to_regnamespace('postrider') and proowner = "
        "'postrider_owner'::regrole"
        " order by proname");
    std::vector<stored_function> all;
    for (int row = 0; row < rows.rows(); ++row) {
        all.push_back({rows.get<std::string>(row, 0), rows.get<std::string>(row, 1)});
    }
    return all;
}

session_facts facts_of(pg::connection& session) {
    const auto sent = std::chrono::steady_clock::now();
    const auto row = session.exec(
        "select pg_backend_pid(), extract(epoch from clock_timestamp())::float8, current_user,"
        " coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false),"
        " coalesce(inet_client_addr() <<= any ('{127.0.0.0/8,::1/128}'::inet[]), true),"
        " (select rolsuper from pg_roles where rolname = current_user)");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - sent;
    return {row.get<int>(0, 0),         row.get<double>(0, 1), took.count(),
            row.get<std::string>(0, 2), row.get<bool>(0, 3),   row.get<bool>(0, 4),
            row.get<bool>(0, 5)};
}

}  // namespace postrider::store
