#include "migrate/native.hpp"

#include <postrider/error.hpp>

namespace postrider::migrate {
namespace {

struct findings {
    bool wanted = false;
    bool in_c = false;  ///< the function is there, in C
    bool superuser = false;
};

findings look(pg::connection& session) {
    const auto row = session.exec(
        "select coalesce(current_setting('postrider.native', true) = 'on', false),"
        " exists (select from pg_proc p join pg_language l on l.oid = p.prolang"
        "  where p.pronamespace = to_regnamespace('postrider') and p.proname = 'exchange_native'"
        "  and l.lanname = 'c'),"
        " current_setting('is_superuser')::boolean");
    return {row.get<bool>(0, 0), row.get<bool>(0, 1), row.get<bool>(0, 2)};
}

// No SQLSTATE tells a library that is missing from one that cannot be loaded, and that of
// "permission denied" is also the one of a file which the server may not read: the server's own
// words go along.
std::string reason_of(const error& problem, bool superuser) {
    if (problem.sqlstate() == "42501" && !superuser) {
        return "only a superuser can turn them on: run `postrider migrate up` as one";
    }
    std::string said = problem.what();
    if (const auto statement = problem.operation() + ": "; said.starts_with(statement)) {
        said.erase(0, statement.size());
    }
    return said +
           ": put the library postrider_native of this release, made for the server's version of "
           "PostgreSQL, into the folder that `pg_config --pkglibdir` names, then run `postrider "
           "migrate up`";
}

// Nothing, or why it did not work.
std::string attempt(pg::connection& session, const std::string& sql, bool superuser) {
    try {
        session.exec(sql);
        return {};
    } catch (const error& problem) {
        if (problem.connection_lost()) {
            throw;
        }
        return reason_of(problem, superuser);
    }
}

std::string attempt_within(pg::connection& session, const std::string& sql, bool superuser) {
    session.exec("savepoint native");
    auto trouble = attempt(session, sql, superuser);
    session.exec(trouble.empty() ? "release native" : "rollback to native; release native");
    return trouble;
}

// Loads it into this session only. Only a superuser may; other roles get no result.
constexpr auto load = "load 'postrider_native'";

}  // namespace

std::string native_state(pg::connection& session) {
    const auto now = look(session);
    if (!now.wanted && !now.in_c) {
        return "off";
    }
    if (!now.superuser) {
        return now.in_c ? "on"
                        : "wanted, but only a superuser can turn them on: run `postrider migrate "
                          "up` as one";
    }
    const auto trouble = attempt(session, load, now.superuser);
    if (!trouble.empty()) {
        return (now.in_c ? "on, but " : "wanted, but ") + trouble;
    }
    return now.in_c ? "on" : "wanted, but not made yet: run `postrider migrate up`";
}

std::string apply_native(pg::connection& session, const schema_files& files,
                         const std::function<void(const std::string&)>& say) {
    if (!files.native || !files.instead_of_native) {
        return "off";
    }
    const auto now = look(session);
    std::string trouble;
    if (now.wanted && !(now.in_c && !now.superuser)) {
        // One that is there may have lost its library meanwhile: then every claim would fail.
        const auto sql = now.in_c ? std::string(load) : std::string(files.native->text);
        trouble = attempt_within(session, sql, now.superuser);
    }
    if (!trouble.empty()) {
        say("claims stay in SQL: native ones are wanted, but " + trouble);
    } else if (now.wanted) {
        if (!now.in_c) {
            say("native claims are on");
        }
        return "on";
    }
    if (now.in_c) {
        const auto refusal =
            attempt_within(session, std::string(files.instead_of_native->text), now.superuser);
        if (!refusal.empty()) {
            say("native claims cannot be turned off: " + refusal);
            return "on, but " + refusal;
        }
        say("native claims are off");
    }
    return trouble.empty() ? "off" : "wanted, but " + trouble;
}

}  // namespace postrider::migrate
