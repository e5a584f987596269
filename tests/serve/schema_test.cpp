#include <postrider/migrate.hpp>

#include "serve/serve_fixture.hpp"

// A server in front of a schema that does not fit.
namespace postrider::test {
namespace {

class schema_test : public serve_fixture {};

TEST_F(schema_test, without_the_schema_the_remedy_is_told_until_it_is_there) {
    const test_database empty(test_database::contents::empty);
    auto settings = options();
    settings.database = empty.conninfo();
    server_ = std::make_unique<serve::server>(settings);
    for (const auto* path :
         {"/readyz", "/metrics", "/api/v1/overview", "/api/v1/consumers", "/api/v1/dead-letters"}) {
        EXPECT_TRUE(eventually([&] { return get(path).status == 409; })) << path;
        const auto answer = get(path);
        EXPECT_EQ(answer.body["code"], "schema_outdated") << path << answer.text;
        EXPECT_NE(answer.text.find("postrider migrate up"), std::string::npos) << answer.text;
    }
    EXPECT_EQ(get("/healthz", "").status, 200);
    migrate_up({.database = empty.conninfo(), .log = {}});
    EXPECT_TRUE(eventually([&] { return get("/readyz", "").status == 200; }));
    EXPECT_EQ(get("/api/v1/consumers").status, 200);
}

TEST_F(schema_test, a_server_that_a_migration_breaks_is_not_ready) {
    start();
    session_.exec(
        "insert into postrider.migration (version, name, sha256, breaking)"
        " values (9999, 'later', '', true)");
    EXPECT_TRUE(eventually([&] { return get("/readyz", "").status == 409; }));
    EXPECT_EQ(get("/readyz", "").body["code"], "schema_newer");
}

}  // namespace
}  // namespace postrider::test
