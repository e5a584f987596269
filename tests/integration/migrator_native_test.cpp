#include <gtest/gtest.h>

#include <fstream>
#include <postrider/migrate.hpp>

#include "store/work/exchange.hpp"
#include "support/native_library.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_database.hpp"

namespace postrider {
namespace {

namespace fs = std::filesystem;
using test::test_database;

void expect_tells(const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// A migrated database with its own setting for native claims. The server of the tests has the
/// library, if it was built, and its setting is off.
class migrator_native_test : public ::testing::Test {
  protected:
    void SetUp() override {
        if (database_.connect().server_version() / 10000 != 15) {
            GTEST_SKIP() << "the library is made for PostgreSQL 15";
        }
    }
    void set(const std::string& setting, const std::string& value) {
        database_.connect().exec("alter database " + database_.name() + " set " + setting + " = '" +
                                 value + "'");
    }
    migrate_report up(const std::string& more = {}) {
        said_.clear();
        return migrate_up({.database = database_.conninfo() + more,
                           .log = [this](auto line) { said_.append(line).append("\n"); }});
    }
    std::string status(const std::string& more = {}) {
        const auto report = migration_status({.database = database_.conninfo() + more, .log = {}});
        EXPECT_TRUE(report.current);
        return report.native;
    }
    /// Language, owner and rights of exchange_native, or nothing.
    std::string made() {
        const auto row = database_.connect().exec(
            "select string_agg(concat_ws(' ', l.lanname, p.proowner::regrole, p.proacl), ',')"
            " from pg_proc p join pg_language l on l.oid = p.prolang"
            " where p.pronamespace = 'postrider'::regnamespace and p.proname = 'exchange_native'");
        return row.is_null(0, 0) ? "" : row.get<std::string>(0, 0);
    }
    /// A server that finds this file, and no other, as its library.
    void use_library(const fs::path& content) {
        // Not written over: a backend that has not ended yet maps the old one.
        fs::remove(place_.path() / "postrider_native.so");
        fs::copy_file(content, place_.path() / "postrider_native.so");
        fs::permissions(place_.path() / "postrider_native.so", fs::perms{0644});
        set("dynamic_library_path", place_.path().string());
    }

    static constexpr auto rights =
        " postrider_owner {postrider_owner=X/postrider_owner,postrider_worker=X/postrider_owner}";
    test_database database_{test_database::contents::migrated_in_sql};
    test::scratch_directory place_;
    std::string said_;
};

TEST_F(migrator_native_test, a_database_that_says_nothing_has_none) {
    EXPECT_EQ(up().native, "off");
    EXPECT_EQ(said_, "");
    EXPECT_EQ(status(), "off");
    EXPECT_EQ(made(), "");
}

TEST_F(migrator_native_test, they_are_turned_on_in_a_schema_that_is_current) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    set("postrider.native", "on");
    EXPECT_EQ(status(), "wanted, but not made yet: run `postrider migrate up`");
    const auto report = up();
    EXPECT_EQ(report.native, "on");
    EXPECT_FALSE(report.functions_replaced);
    EXPECT_EQ(said_, "native claims are on\n");
    EXPECT_EQ(made(), std::string("c") + rights);
    EXPECT_EQ(status(), "on");
    EXPECT_EQ(up().native, "on");
    EXPECT_EQ(said_, "");
}

TEST_F(migrator_native_test,
       a_worker_that_has_prepared_its_claim_goes_on_when_they_are_turned_off) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    set("postrider.native", "on");
    up();
    auto worker = database_.connect();
    const std::string id = "7b0c0000-0000-4000-8000-000000000001";
    worker.exec("select postrider.register_worker('" + id +
                "', 'office', '[{\"name\": \"office.all\", \"event_types\": [\"*\"]}]')");
    worker.exec("select postrider.publish('a.b') from generate_series(1, 4)");
    worker.prepare("claim", "select lease_id from postrider.exchange_native($1, 2)");
    const auto first = worker.exec_prepared("claim", pg::params(id));
    set("postrider.native", "off");
    EXPECT_EQ(up().native, "off");
    EXPECT_EQ(said_, "");
    EXPECT_EQ(made(), std::string("c") + rights);
    worker.exec("set role postrider_worker");
    worker.exec("set postrider.native = off");
    const auto second = worker.exec_prepared("claim", pg::params(id));
    EXPECT_LT(first.get<int>(first.rows() - 1, 0), second.get<int>(second.rows() - 1, 0));
    EXPECT_EQ(status(), "off");
}

TEST_F(migrator_native_test, workers_keep_their_right_when_the_functions_are_replaced) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    set("postrider.native", "on");
    up();
    database_.connect().exec("delete from postrider.function_set");
    EXPECT_TRUE(up().functions_replaced);
    EXPECT_EQ(made(), std::string("c") + rights);
}

TEST_F(migrator_native_test, a_missing_library_is_told_and_the_rest_is_applied) {
    set("postrider.native", "on");
    set("dynamic_library_path", "$libdir");
    database_.connect().exec("delete from postrider.function_set");
    const auto report = up();
    EXPECT_TRUE(report.functions_replaced);
    expect_tells(report.native, "wanted, but could not access file");
    expect_tells(said_, "claims stay in SQL: ");
    expect_tells(said_, "pg_config --pkglibdir");
    EXPECT_EQ(made(), "");
    expect_tells(status(), "wanted, but not made yet");
}

TEST_F(migrator_native_test, a_library_that_was_lost_does_not_take_claims_with_it) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    set("postrider.native", "on");
    up();
    set("dynamic_library_path", "$libdir");
    expect_tells(status(), "on, but could not access file");
    expect_tells(up().native, "on, but could not access file");
    auto worker = database_.connect();
    EXPECT_FALSE(store::claims_natively(worker));
}

TEST_F(migrator_native_test, a_library_of_something_else_is_told) {
    set("postrider.native", "on");
    const auto folder =
        database_.connect().exec("select setting from pg_config where name = 'PKGLIBDIR'");
    use_library(fs::path(folder.text(0, 0)) / "dict_snowball.so");
    expect_tells(up().native, "could not find function \"exchange_native\"");
    const auto text = place_.path() / "text";
    std::ofstream(text) << "no library at all\n";
    use_library(text);
    expect_tells(up().native, "could not load library");
    expect_tells(said_, "made for the server's version");
    EXPECT_EQ(made(), "");
}

TEST_F(migrator_native_test, only_a_superuser_makes_them) {
    const std::string role = database_.name() + "_owner";
    auto session = database_.connect();
    session.exec("create role " + role + " login in role postrider_owner");
    set("postrider.native", "on");
    const auto refused = up(" user=" + role).native;
    const auto seen = status(" user=" + role);
    std::string turned_off;
    const bool built = fs::exists(test::native_library());
    if (built) {
        EXPECT_EQ(up().native, "on");
        EXPECT_EQ(up(" user=" + role).native, "on");
        EXPECT_EQ(status(" user=" + role), "on");
        set("postrider.native", "off");
        turned_off = up(" user=" + role).native;
    }
    session.exec("drop role " + role);
    EXPECT_EQ(refused,
              "wanted, but only a superuser can turn them on: run `postrider migrate up` as one");
    EXPECT_EQ(seen, refused);
    EXPECT_EQ(turned_off, built ? "off" : "");
    EXPECT_EQ(made(), built ? std::string("c") + rights : "");
}

TEST_F(migrator_native_test, a_schema_that_the_library_does_not_know_is_told) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    set("postrider.native", "on");
    up();
    database_.connect().exec("alter table postrider.consumer alter paused drop not null");
    EXPECT_EQ(up().native, "on, but consumer.paused may be null");
    EXPECT_EQ(status(), "on, but consumer.paused may be null");
    EXPECT_EQ(said_,
              "claims stay in SQL: native ones are wanted, but consumer.paused may be null\n");
}

TEST_F(migrator_native_test, the_printed_schema_has_none) {
    EXPECT_EQ(migration_script().find("function postrider.exchange_native"), std::string::npos);
}

}  // namespace
}  // namespace postrider
