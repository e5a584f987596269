#include <gtest/gtest.h>

#include <fstream>
#include <postrider/error.hpp>
#include <postrider/migrate.hpp>

#include "migrate/migrator.hpp"
#include "migrate/recorded.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_database.hpp"

// Databases with unusual or hostile settings.
namespace postrider::migrate {
namespace {

using test::test_database;

class surroundings_test : public ::testing::Test {
  protected:
    void sql(const std::string& statement) { database_.connect().exec(statement); }
    bool is_true(const std::string& question) {
        return database_.connect().exec("select " + question).get<bool>(0, 0);
    }
    void database_has(const std::string& setting) {
        sql("alter database " + database_.name() + " set " + setting);
    }
    test::finished_process run_script() {
        const auto file = scratch_.path() / "postrider.sql";
        std::ofstream(file) << migration_script();
        return test::run({"psql", "-X", "-f", file.string(), "-d", database_.conninfo()});
    }

    test_database database_{test_database::contents::empty};
    test::scratch_directory scratch_;
};

// Functions that match the calls of the files better than PostgreSQL's own.
constexpr const char* traps = R"(
create function public.trap() returns text language plpgsql as
    $$ begin raise exception 'a trap was run'; end $$;
create function public.format(text, name) returns text language sql as 'select public.trap()';
create function public.format(text, text) returns text language sql as 'select public.trap()';
create function public.format(text, regprocedure) returns text language sql as 'select public.trap()';
create function public.format(text, regprocedure, text) returns text language sql as 'select public.trap()';
create function public.format(text, text, text) returns text language sql as 'select public.trap()';
)";

TEST_F(surroundings_test, objects_planted_in_public_are_not_run_by_the_migrator) {
    sql(traps);
    migrate_up({.database = database_.conninfo()});
    EXPECT_TRUE(migration_status({.database = database_.conninfo()}).current);
}

TEST_F(surroundings_test, objects_planted_in_public_are_not_run_by_the_script) {
    sql(traps);
    const auto outcome = run_script();
    EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(surroundings_test, standard_conforming_strings_off_changes_nothing) {
    database_has("standard_conforming_strings = off");
    migrate_up({.database = database_.conninfo()});
    EXPECT_TRUE(
        is_true("position(chr(92) || '.' in pg_get_constraintdef(oid)) > 0"
                " from pg_constraint where conname = 'handler_name_check'"));
}

TEST_F(surroundings_test, timeouts_of_the_database_do_not_end_an_upgrade) {
    const std::vector<embedded_file> slow{
        {"migrations/0001_first.sql", "m1",
         "create schema postrider;"
         "create table postrider.migration (version int, name text, sha256 text, breaking boolean,"
         " applied_at timestamptz default now());"
         "create table postrider.function_set (digest text);"
         "select pg_sleep(0.5);"}};
    database_has("statement_timeout = '200ms'");
    auto session = database_.connect();
    EXPECT_EQ(migrator(slow).up(session).version_after, 1);
}

class foreign_schema_test : public surroundings_test {
  protected:
    void SetUp() override {
        sql("create role " + stranger_);
        sql("create schema postrider authorization " + stranger_);
        sql("set role " + stranger_ +
            "; create function postrider.trap() returns int language plpgsql as"
            " $$ begin raise exception 'a trap was run'; end $$;"
            " create view postrider.migration as select postrider.trap() as version, 'a' as name,"
            " 'b' as sha256, false as breaking, now() as applied_at");
    }
    void TearDown() override {
        sql("drop schema postrider cascade");
        sql("drop role " + stranger_);
    }
    template <typename Action>
    void expect_refused(Action action) {
        try {
            action();
            ADD_FAILURE() << "not refused";
        } catch (const schema_error& problem) {
            EXPECT_NE(std::string(problem.what()).find(stranger_), std::string::npos)
                << problem.what();
        }
    }

    const std::string stranger_ = database_.name() + "_stranger";
};

TEST_F(foreign_schema_test, no_code_of_a_foreign_schema_is_run) {
    expect_refused([&] { migrate_up({.database = database_.conninfo()}); });
    expect_refused([&] { migration_status({.database = database_.conninfo()}); });
    expect_refused([&] {
        auto session = database_.connect();
        require_schema(session);
    });
    const auto outcome = run_script();
    EXPECT_NE(outcome.status, 0);
    EXPECT_NE(outcome.output.find("belongs to " + stranger_), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace postrider::migrate
