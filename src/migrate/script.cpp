#include "migrate/contract.hpp"
#include "migrate/migrator.hpp"
#include "migrate/surroundings.hpp"

namespace postrider::migrate {
namespace {

// A file may omit its last semicolon; the next statement of the script must not join it.
std::string complete(std::string_view text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    const bool ended = last != std::string_view::npos && text[last] == ';';
    return std::string(text) + (text.ends_with('\n') ? "" : "\n") + (ended ? "" : ";\n");
}

std::string migration_section(const migration& step) {
    const auto number = std::to_string(step.version);
    const std::string begin = step.file.no_transaction ? "" : "begin;\n";
    const std::string commit = step.file.no_transaction ? "" : "commit;\n";
    return "select :postrider_version < " + number + " as postrider_pending \\gset\n" +
           "\\if :postrider_pending\n" + "\\echo migration " + std::string(step.file.name) + "\n" +
           begin + complete(step.file.text) +
           "insert into postrider.migration (version, name, sha256, breaking) values (" + number +
           ", " + sql_literal(step.file.name) + ", " + sql_literal(step.file.sha256) + ", " +
           (step.file.breaking ? "true" : "false") + ");\n" + commit + "\\endif\n\n";
}

// The same refusals as the migrator's, as far as a script can go.
std::string guard_section(const schema_files& files) {
    std::string digests;
    for (const auto& step : files.migrations) {
        digests += (digests.empty() ? "" : ", ") + ("(" + std::to_string(step.version)) + ", " +
                   sql_literal(step.file.sha256) + ")";
    }
    std::string guard =
        "do $guard$\n"
        "declare\n"
        "    v_owner text := (" +
        std::string(foreign_owner) +
        ");\n"
        "begin\n"
        "    if v_owner is not null then\n"
        "        raise exception 'the schema postrider belongs to %, who is not postrider_owner', "
        "v_owner\n"
        "            using errcode = 'PR009';\n"
        "    end if;\n"
        "    if to_regclass('postrider.migration') is null then\n"
        "        return;\n"
        "    end if;\n"
        "    if exists (select from postrider.migration where version > " +
        std::to_string(files.version()) +
        ") then\n"
        "        raise exception 'the schema is newer than this script' using errcode = 'PR008';\n"
        "    end if;\n";
    if (!digests.empty()) {
        guard +=
            "    if exists (select from postrider.migration m join (values " + digests +
            ") as known (version, sha256)\n"
            "               on known.version = m.version and known.sha256 <> m.sha256) then\n"
            "        raise exception 'an applied migration differs from this script' using errcode "
            "= 'PR009';\n"
            "    end if;\n";
    }
    return guard + "end\n$guard$;\n\n";
}

std::string function_section(const schema_files& files) {
    std::string section = "\\echo functions, views and grants\nbegin;\n";
    for (auto file = files.functions.rbegin(); file != files.functions.rend(); ++file) {
        for (const auto& drop : file->drops) {
            section += drop + (drop.ends_with(';') ? "\n" : ";\n");
        }
    }
    section += files.function_grants + ";\n";
    for (const auto& file : files.functions) {
        section += complete(file.text) + comment_on(file) + "\n";
    }
    return section +
           "delete from postrider.function_set;\n"
           "insert into postrider.function_set (digest)\n"
           "    values (encode(sha256(convert_to(" +
           sql_literal(files.function_set_manifest) + ", 'UTF8')), 'hex'));\ncommit;\n\n";
}

}  // namespace

std::string migrator::script() const {
    std::string script =
        "-- The whole postrider schema for psql: psql -X -f this_file <database>\n"
        "-- Installs it, or brings an older one up to date.\n"
        "\\set ON_ERROR_STOP on\n"
        "\\set QUIET on\n"
        "\\o /dev/null\n" +
        std::string(migration_settings) +
        // Polled: a statement that waits for the lock holds a snapshot, and a `create index
        // concurrently` of the run that has the lock would wait for that snapshot.
        "do $wait$\n"
        "begin\n"
        "    while not pg_try_advisory_lock(7233175, 1) loop\n"
        "        perform pg_sleep(0.05);\n"
        "        commit;\n"
        "    end loop;\n"
        "end\n"
        "$wait$;\n\n" +
        guard_section(files_) +
        "select to_regclass('postrider.migration') is null as postrider_pending \\gset\n"
        "\\if :postrider_pending\n"
        "\\set postrider_version 0\n"
        "\\else\n"
        "select coalesce(max(version), 0) as postrider_version from postrider.migration \\gset\n"
        "\\endif\n\n";
    if (files_.roles) {
        script += "begin;\n" + complete(files_.roles->text) + "commit;\n\n";
    }
    for (const auto& step : files_.migrations) {
        script += migration_section(step);
    }
    return script + function_section(files_) + "select pg_advisory_unlock(7233175, 1);\n\\o\n";
}

}  // namespace postrider::migrate
