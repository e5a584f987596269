#include "e2e/operating_fixture.hpp"

// Programs and schemas that do not fit together.
namespace postrider::test {
namespace {

class schema_gate_test : public operating_fixture {
  protected:
    void apply_newer(const char* breaking) {
        sql("insert into postrider.migration (version, name, sha256, breaking)"
            " values (9999, 'later', '', $1::boolean)",
            {breaking});
    }
    void expect_refused(const std::string& because) const {
        for (const auto& command : std::vector<std::vector<std::string>>{
                 {"stats"},
                 {"dead-letters", "list"},
                 {"top", "--once"},
                 {"rebase"},
                 {"publish", "a.b"},
                 {"publish", "--many", "/dev/null"},
                 {"work", "--consumer", "c", "--on", "*", "--exec", "true"}}) {
            const auto refused = run(command);
            EXPECT_EQ(refused.status, 78) << command.front() << refused.output;
            EXPECT_TRUE(contains(refused.output, because)) << refused.output;
        }
    }
};

TEST_F(schema_gate_test, older_programs_refuse_a_breaking_schema) {
    apply_newer("true");
    expect_refused("use a newer postrider");
    EXPECT_EQ(value("select count(*) from postrider.message"), "0");
    const auto doctor = run({"doctor", "--json"});
    EXPECT_EQ(doctor.status, 2);
    EXPECT_TRUE(contains(doctor.output, "\"check\":\"schema\",\"level\":\"problem\""))
        << doctor.output;
    EXPECT_EQ(run({"psql", "-XAtc", "select 42"}).output, "42\n");
    EXPECT_EQ(run({"migrate", "status"}).status, 1);
}

TEST_F(schema_gate_test, a_newer_compatible_schema_is_accepted) {
    apply_newer("false");
    EXPECT_EQ(run({"stats"}).status, 0);
    EXPECT_EQ(run({"publish", "a.b"}).status, 0);
}

TEST_F(schema_gate_test, an_older_schema_is_refused_with_the_remedy) {
    sql("delete from postrider.migration where version = (select max(version) from"
        " postrider.migration)");
    expect_refused("postrider migrate up");
}

TEST_F(schema_gate_test, a_migration_without_privileges_names_the_required_role) {
    sql("drop role if exists postrider_test_stranger");
    sql("create role postrider_test_stranger in role postrider_viewer");
    sql("delete from postrider.function_set");  // there are migrations to apply
    postrider_.set("POSTRIDER_DATABASE_URL", database_.conninfo());
    postrider_.set("PGOPTIONS", "-c role=postrider_test_stranger");
    const auto refused = run({"migrate", "up"});
    EXPECT_EQ(refused.status, 77) << refused.output;
    EXPECT_TRUE(contains(refused.output, "a member of postrider_owner")) << refused.output;
    sql("drop role postrider_test_stranger");
}

TEST_F(schema_gate_test, of_a_migration_that_differs_the_remedy_is_told) {
    sql("update postrider.migration set sha256 = 'another' where version = 1");
    const auto status = run({"migrate", "status"});
    EXPECT_EQ(status.status, 1);
    EXPECT_TRUE(contains(status.output, "applied by another release")) << status.output;
}

}  // namespace
}  // namespace postrider::test
