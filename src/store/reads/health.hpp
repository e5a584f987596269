#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// ok: no action. note: for information. warning: will cause harm. problem: causes harm now.
enum class level { ok, note, warning, problem };

std::string_view to_string(level how);

/// The result of one check, and the remedy.
struct finding {
    std::string check;  ///< e.g. "vacuum"
    level how = level::ok;
    std::string what;
    std::string why = {};   ///< why it matters
    std::string todo = {};  ///< the remedy: a command or a sentence
};

/// A query of sql/health whose rows are findings: level, what, why, todo.
struct health_check {
    std::string_view name;
    std::string_view fine;  ///< text of the ok finding, when the query returns no row
    std::string_view sql;
};

/// Checks of the server: settings, vacuum, the horizon and its holders, NOTIFY.
std::vector<health_check> server_checks();
/// Checks of Postrider's tables: consumers, handlers, leases, circuits, retention.
std::vector<health_check> engine_checks();

/// Runs one check. An SQL error is reported as a finding, so that the other checks still run.
std::vector<finding> examine(pg::connection& session, const health_check& check);

/// Prepares the session for examine(). `limit` is the statement timeout of a check. A condition
/// that lasts longer than `overdue_after` is a finding, and so is a deployment other than the named
/// one.
void prepare_examination(pg::connection& session, std::chrono::seconds limit,
                         std::chrono::milliseconds overdue_after,
                         const std::string& deployment = {});

/// Functions of schema postrider as the database has them: name and body.
struct stored_function {
    std::string name;
    std::string body;
};
std::vector<stored_function> stored_functions(pg::connection& session);

/// Facts about this session that a client can compare with its own.
struct session_facts {
    int backend_pid = 0;
    double clock_seconds = 0;  ///< the server's clock, since 1970
    double round_trip_seconds = 0;
    std::string role;
    bool encrypted = false;
    bool local = false;  ///< a Unix socket or a loopback address
    bool superuser = false;
};
session_facts facts_of(pg::connection& session);

}  // namespace postrider::store
