#include "migrate/migrator.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <postrider/error.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "base/embedded_files.hpp"
#include "migrate/recorded.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_database.hpp"

namespace postrider::migrate {
namespace {

using test::test_database;

constexpr std::string_view first_migration = R"(
create schema postrider;
create table postrider.migration (
    version int primary key, name text not null, sha256 text not null,
    breaking boolean not null default false, applied_at timestamptz not null default now(),
    applied_by text not null default session_user);
create table postrider.function_set (
    digest text not null, applied_at timestamptz not null default now());
create table postrider.thing (id int primary key);
)";

// A small schema of its own, so that these tests do not depend on the real one.
std::vector<embedded_file> small_schema() {
    return {{"functions/small/internal/answer.sql", "f1",
             "-- postrider: after base_answer\n"
             "create or replace function postrider.answer() returns int language sql\n"
             "begin atomic; select postrider.base_answer() + 1; end;"},
            {"functions/small/internal/base_answer.sql", "f2",
             "create or replace function postrider.base_answer() returns int language sql\n"
             "    as 'select 41'"},
            {"grants.sql", "g1", "grant usage on schema postrider to public;"},
            {"migrations/0001_first.sql", "m1", first_migration},
            {"migrations/0002_index.sql", "m2",
             "-- postrider: no-transaction\n"
             "create index concurrently if not exists thing_a on postrider.thing (id);\n"
             "create index concurrently if not exists thing_b on postrider.thing (id);\n"},
            {"roles.sql", "r1", "select 1;"},
            {"views/answers.sql", "v1",
             "create or replace view postrider.answers as select postrider.answer() as answer"}};
}

class migrator_test : public ::testing::Test {
  protected:
    migrate_report up(const std::vector<embedded_file>& files) {
        auto session = database_.connect();
        return migrator(files).up(session);
    }
    errc refusal_of(const std::vector<embedded_file>& files) {
        try {
            up(files);
        } catch (const schema_error& problem) {
            return problem.code();
        }
        throw std::runtime_error("not refused");
    }
    int answer() {
        return database_.connect().exec("select answer from postrider.answers").get<int>(0, 0);
    }

    test_database database_{test_database::contents::empty};
};

TEST_F(migrator_test, a_fresh_database_gets_everything_in_order) {
    const auto report = up(small_schema());
    EXPECT_EQ(report.version_before, 0);
    EXPECT_EQ(report.version_after, 2);
    EXPECT_EQ(report.applied, (std::vector<std::string>{"0001_first", "0002_index"}));
    EXPECT_TRUE(report.functions_replaced);
    EXPECT_EQ(answer(), 42);
}

TEST_F(migrator_test, a_second_run_does_nothing) {
    up(small_schema());
    const auto report = up(small_schema());
    EXPECT_EQ(report.version_before, 2);
    EXPECT_TRUE(report.applied.empty());
    EXPECT_FALSE(report.functions_replaced);
}

TEST_F(migrator_test, a_new_migration_is_applied_and_the_functions_are_replaced) {
    auto files = small_schema();
    up(files);
    files.push_back({"migrations/0003_more.sql", "m3",
                     "-- postrider: breaking\ncreate table postrider.more (id int);"});
    const auto report = up(files);
    EXPECT_EQ(report.applied, std::vector<std::string>{"0003_more"});
    EXPECT_TRUE(report.functions_replaced);
    EXPECT_TRUE(database_.connect()
                    .exec("select breaking from postrider.migration where version = 3")
                    .get<bool>(0, 0));
}

TEST_F(migrator_test, functions_are_replaced_when_one_of_them_changes) {
    auto files = small_schema();
    up(files);
    files[1] = {"functions/small/internal/base_answer.sql", "f2 changed",
                "create or replace function postrider.base_answer() returns int language sql\n"
                "    as 'select 99'"};
    EXPECT_TRUE(up(files).functions_replaced);
    EXPECT_EQ(answer(), 100);
}

TEST_F(migrator_test, a_contract_is_the_comment_of_its_object_and_is_replaced_with_it) {
    const auto comments = [this] {
        return database_.connect()
            .exec(
                "select coalesce(obj_description('postrider.base_answer'::regproc), '-') || '|' ||"
                " coalesce(obj_description('postrider.answers'::regclass), '-')")
            .get<std::string>(0, 0);
    };
    auto files = small_schema();
    const std::string function(files[1].text);
    up(files);
    EXPECT_EQ(comments(), "-|-");
    const auto first =
        "-- base_answer(): the caller's \\'answer'\n--   an \"indented\" line\n"
        "-- postrider: after\n--\n-- For maintainers.\n" +
        function;
    const auto view = "-- answers: one row.\n" + std::string(files[6].text);
    files[1] = {files[1].path, "f2 with a contract", first};
    files[6] = {files[6].path, "v1 with a contract", view};
    up(files);
    EXPECT_EQ(comments(),
              "base_answer(): the caller's \\'answer'\n  an \"indented\" line|answers: one row.");
    const auto second = "-- base_answer(): another.\n" + function;
    files[1] = {files[1].path, "f2 with another contract", second};
    files[6] = small_schema()[6];
    up(files);
    EXPECT_EQ(comments(), "base_answer(): another.|-");
}

TEST_F(migrator_test, an_old_signature_is_dropped_when_a_header_says_so) {
    auto files = small_schema();
    up(files);
    files[1] = {"functions/small/internal/base_answer.sql", "f2 with an argument",
                "-- postrider: drop function if exists postrider.base_answer()\n"
                "create or replace function postrider.base_answer(p_more int default 1)\n"
                "    returns int language sql as 'select 41 + p_more'"};
    files[0] = {"functions/small/internal/answer.sql", "f1 dropped first",
                "-- postrider: after base_answer\n"
                "-- postrider: drop function if exists postrider.answer() cascade\n"
                "create or replace function postrider.answer() returns int language sql\n"
                "begin atomic; select postrider.base_answer() + 1; end;"};
    up(files);
    EXPECT_EQ(answer(), 43);
    EXPECT_EQ(database_.connect()
                  .exec("select count(*) from pg_proc where proname = 'base_answer'")
                  .get<int>(0, 0),
              1);
}

TEST_F(migrator_test, a_changed_migration_is_refused) {
    auto files = small_schema();
    up(files);
    files[3].sha256 = "another content";
    EXPECT_EQ(refusal_of(files), errc::schema_drift);
}

TEST_F(migrator_test, a_newer_schema_is_refused) {
    auto files = small_schema();
    up(files);
    files.erase(files.begin() + 4);
    EXPECT_EQ(refusal_of(files), errc::schema_newer);
}

TEST_F(migrator_test, a_failing_migration_leaves_nothing_behind_and_names_its_file) {
    auto files = small_schema();
    files.push_back({"migrations/0003_bad.sql", "m3",
                     "create table postrider.half (id int);\nselect missing;"});
    try {
        up(files);
        FAIL() << "applied";
    } catch (const error& problem) {
        EXPECT_NE(std::string(problem.what()).find("0003_bad.sql"), std::string::npos);
    }
    auto session = database_.connect();
    EXPECT_EQ(read_recorded(session).version(), 2);
    EXPECT_TRUE(session.exec("select to_regclass('postrider.half') is null").get<bool>(0, 0));
}

TEST_F(migrator_test, a_failing_function_leaves_all_of_them_as_they_were) {
    auto files = small_schema();
    up(files);
    files[1] = {"functions/small/internal/base_answer.sql", "f2 changed",
                "create or replace function postrider.base_answer() returns int language sql\n"
                "    as 'select 99'"};
    files[6] = {"views/answers.sql", "v1 broken",
                "create view postrider.answers as select missing"};
    EXPECT_THROW(up(files), error);
    EXPECT_EQ(answer(), 42);
}

TEST_F(migrator_test, many_runs_at_once_apply_everything_once) {
    const auto files = small_schema();
    std::atomic<std::size_t> applied{0};
    std::atomic<int> replaced{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                const auto report = up(files);
                applied += report.applied.size();
                replaced += report.functions_replaced ? 1 : 0;
            });
        }
    }
    EXPECT_EQ(applied, 2U);
    EXPECT_EQ(replaced, 1);
}

TEST_F(migrator_test, status_lists_missing_migrations_and_changes_nothing) {
    auto files = small_schema();
    auto session = database_.connect();
    auto report = migrator(files).status(session);
    EXPECT_EQ(report.version, 0);
    EXPECT_FALSE(report.current);
    EXPECT_EQ(report.migrations.size(), 2U);
    up(files);
    report = migrator(files).status(session);
    EXPECT_TRUE(report.current);
    files[3].sha256 = "another content";
    report = migrator(files).status(session);
    EXPECT_FALSE(report.current);
    EXPECT_TRUE(report.migrations[0].drifted);
}

TEST_F(migrator_test, a_schema_before_the_first_release_is_refused_with_the_remedy) {
    up(small_schema());
    auto session = database_.connect();
    session.exec("update postrider.migration set name = '0003_inbox' where version = 2");
    EXPECT_EQ(refusal_of(small_schema()), errc::schema_drift);
    try {
        require_schema(session, 2);
        FAIL() << "not refused";
    } catch (const schema_error& problem) {
        EXPECT_NE(std::string(problem.what()).find("drop schema postrider cascade"),
                  std::string::npos)
            << problem.what();
    }
}

TEST_F(migrator_test, the_check_at_start_accepts_a_matching_schema) {
    auto session = database_.connect();
    const auto refused_with = [&](int known_version) {
        try {
            require_schema(session, known_version);
        } catch (const schema_error& problem) {
            return problem.code();
        }
        throw std::runtime_error("not refused");
    };
    EXPECT_EQ(refused_with(1), errc::schema_outdated);
    up(small_schema());
    EXPECT_EQ(refused_with(3), errc::schema_outdated);
    require_schema(session, 2);
    require_schema(session, 1);
    session.exec("update postrider.migration set breaking = true where version = 2");
    EXPECT_EQ(refused_with(1), errc::schema_newer);
}

class script_test : public migrator_test {
  protected:
    // The schema and its recorded migrations, without times.
    std::string dump(const test_database& database) {
        auto schema = test::run({"pg_dump", "--schema-only", "--dbname", database.conninfo()});
        EXPECT_EQ(schema.status, 0) << schema.output;
        std::string text;
        std::istringstream lines(schema.output);
        for (std::string line; std::getline(lines, line);) {
            // Newer releases guard the dump with a random word.
            if (!line.starts_with("\\restrict") && !line.starts_with("\\unrestrict")) {
                text += std::regex_replace(line, moment_, "(moment)") + "\n";
            }
        }
        auto session = database.connect();
        return text + std::string(session
                                      .exec("select string_agg(version || name || sha256 || "
                                            "breaking || applied_by, ',' order by version) || "
                                            "(select digest from postrider.function_set) from "
                                            "postrider.migration")
                                      .text(0, 0));
    }
    test::finished_process run_script(const test_database& database, const std::string& script) {
        const auto file = scratch_.path() / "postrider.sql";
        std::ofstream(file) << script;
        return test::run({"psql", "-X", "-f", file.string(), "-d", database.conninfo()});
    }

    // Partitions are named and bounded by when they were made.
    const std::regex moment_{R"(\d{8}_\d{6}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*)"};
    test::scratch_directory scratch_;
    test_database other_{test_database::contents::empty};
};

TEST_F(script_test, the_printed_script_equals_the_migrator) {
    const auto files = small_schema();
    up(files);
    const auto outcome = run_script(other_, migrator(files).script());
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(dump(other_), dump(database_));
}

TEST_F(script_test, the_printed_script_of_the_real_schema_equals_the_migrator) {
    migrate_up({.database = database_.conninfo()});
    const auto outcome = run_script(other_, migration_script());
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_EQ(dump(other_), dump(database_));
    EXPECT_TRUE(migration_status({.database = other_.conninfo()}).current);
    EXPECT_TRUE(migrate_up({.database = other_.conninfo()}).applied.empty());
}

TEST_F(script_test, the_printed_script_brings_an_older_schema_up_to_date) {
    auto files = small_schema();
    up(files);
    files.push_back({"migrations/0003_more.sql", "m3", "create table postrider.more (id int);"});
    const auto outcome = run_script(database_, migrator(files).script());
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    auto session = database_.connect();
    EXPECT_TRUE(migrator(files).status(session).current);
    EXPECT_EQ(run_script(database_, migrator(files).script()).status, 0);
}

TEST_F(script_test, the_printed_script_has_the_checks_of_the_migrator) {
    auto files = small_schema();
    up(files);
    files[3].sha256 = "another content";
    const auto drift = run_script(database_, migrator(files).script());
    EXPECT_NE(drift.status, 0);
    EXPECT_NE(drift.output.find("differs"), std::string::npos) << drift.output;
    files = small_schema();
    files.erase(files.begin() + 4);
    const auto newer = run_script(database_, migrator(files).script());
    EXPECT_NE(newer.status, 0);
    EXPECT_NE(newer.output.find("newer"), std::string::npos) << newer.output;
}

}  // namespace
}  // namespace postrider::migrate
