#include "migrate/native.hpp"

#include <postrider/error.hpp>

namespace postrider::migrate {
namespace {

struct findings {
    bool wanted = false;
    bool in_c = false;  ///< the function is there, in C
    bool superuser = false;
    bool available = false;  ///< the server has the extension's files
    bool installed = false;
    bool outdated = false;  ///< another version of the extension is installed
};

findings look(pg::connection& session) {
    const auto row = session.exec(
        "select lower(coalesce(current_setting('postrider.native', true), ''))"
        "  in ('on', 'true', 'yes', '1'),"
        " exists (select from pg_proc p join pg_language l on l.oid = p.prolang"
        "  where p.pronamespace = to_regnamespace('postrider') and p.proname = 'exchange_native'"
        "  and l.lanname = 'c'),"
        " current_setting('is_superuser')::boolean,"
        " e.default_version is not null, x.extversion is not null,"
        " coalesce(x.extversion <> e.default_version, false)"
        " from (values ('postrider_native')) n(name)"
        " left join pg_available_extensions e on e.name = n.name"
        " left join pg_extension x on x.extname = n.name");
    return {row.get<bool>(0, 0), row.get<bool>(0, 1), row.get<bool>(0, 2),
            row.get<bool>(0, 3), row.get<bool>(0, 4), row.get<bool>(0, 5)};
}

// The SQLSTATE does not distinguish a missing library from one that cannot be loaded, nor a missing
// privilege from a file that the server may not read. So the server's error text is included.
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
           "PostgreSQL, into the folder that `pg_config --pkglibdir` prints, then run `postrider "
           "migrate up`";
}

// Returns the reason of a failure; empty on success.
std::string attempt(pg::connection& session, const std::string& sql, bool superuser) {
    session.exec("savepoint native");
    std::string trouble;
    try {
        session.exec(sql);
    } catch (const error& problem) {
        if (problem.connection_lost()) {
            throw;
        }
        trouble = reason_of(problem, superuser);
    }
    session.exec(trouble.empty() ? "release native" : "rollback to native; release native");
    return trouble;
}

// The extension where the server has it, otherwise the functions alone. Nothing when they are there
// and can be called.
std::string statement_for(const findings& now, const schema_files& files) {
    if (now.outdated) {
        return "alter extension postrider_native update";
    }
    if (now.available && !now.installed) {
        return "create extension postrider_native";
    }
    if (!now.installed && now.superuser) {
        return std::string(files.native->text);
    }
    return {};
}

// The reason why the functions cannot be used, or empty. The call loads the library.
std::string trouble_of(pg::connection& session, const findings& now) {
    if (!now.in_c) {
        return now.superuser
                   ? "not made yet: run `postrider migrate up`"
                   : "only a superuser can turn them on: run `postrider migrate up` as one";
    }
    const auto row = session.exec("select trouble from postrider.native_status()");
    return row.is_null(0, 0) ? std::string() : row.get<std::string>(0, 0);
}

std::string state_of(const findings& now, const std::string& trouble) {
    if (!now.wanted) {
        return "off";
    }
    return trouble.empty() ? "on" : (now.in_c ? "on, but " : "wanted, but ") + trouble;
}

}  // namespace

std::string native_state(pg::connection& session) {
    const auto now = look(session);
    return state_of(now, now.wanted ? trouble_of(session, now) : std::string());
}

std::string apply_native(pg::connection& session, const schema_files& files,
                         const std::function<void(const std::string&)>& say) {
    const auto before = look(session);
    if (!files.native || !before.wanted) {
        return "off";
    }
    std::string trouble;
    if (const auto sql = statement_for(before, files); !sql.empty()) {
        trouble = attempt(session, sql, before.superuser);
    }
    const auto now = look(session);
    if (trouble.empty()) {
        trouble = trouble_of(session, now);
    }
    if (!trouble.empty()) {
        say("claims stay in SQL: native ones are wanted, but " + trouble);
    } else if (!before.in_c) {
        say("native claims are on");
    }
    return state_of(now, trouble);
}

}  // namespace postrider::migrate
