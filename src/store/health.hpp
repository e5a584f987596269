#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "pg/connection.hpp"

namespace postrider::store {

/// ok: nothing to do. note: good to know. warning: will hurt. problem: hurts.
enum class level { ok, note, warning, problem };

std::string_view to_string(level how);

/// One thing that was looked at, and what to do about it.
struct finding {
    std::string check;  ///< e.g. "vacuum"
    level how = level::ok;
    std::string what;
    std::string why = {};   ///< why it matters
    std::string todo = {};  ///< the command, or the sentence, that puts it right
};

/// A question whose rows are findings: level, what, why, todo.
struct health_check {
    std::string_view name;
    std::string_view fine;  ///< what is said when there is no row
    std::string sql;
};

/// What the server is asked: settings, vacuum, who holds back the horizon, NOTIFY.
std::vector<health_check> server_checks();
/// What Postrider's own tables are asked: consumers, handlers, leases, circuits, retention.
std::vector<health_check> engine_checks();

/// A check that cannot be made is a finding, too: a doctor does not die of his patient.
std::vector<finding> examine(pg::connection& session, const health_check& check);

/// Before the checks: none of them may take longer than `limit`, and what goes on for longer than
/// `patience` is a finding, and so is a database of another deployment than the named one.
void prepare_examination(pg::connection& session, std::chrono::seconds limit,
                         std::chrono::milliseconds patience, const std::string& deployment = {});

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
