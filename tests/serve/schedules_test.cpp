#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

class schedules_test : public serve_fixture {
  protected:
    void define(const std::string& name, const std::string& of) {
        session_.exec("select postrider.define_schedule('" + name +
                      "', '{\"cron\": \"@daily\", \"message\": {\"event_type\": \"report.due\","
                      " \"workspace_id\": \"" +
                      of + "\", \"payload\": {\"secret\": \"hunter2\"}}}')");
    }
};

TEST_F(schedules_test, schedules_are_listed_without_their_payloads) {
    define("nightly", workspace);
    define("others", elsewhere);
    start();
    for (const auto& reader : {std::string("prt_admin"), token("vic", "viewer")}) {
        const auto all = get("/api/v1/schedules", reader);
        ASSERT_EQ(all.body["rows"].size(), 2U) << all.text;
        EXPECT_EQ(all.body["rows"][0]["schedule"], "nightly");
        EXPECT_EQ(all.body["rows"][0]["cron"], "@daily");
        EXPECT_EQ(all.text.find("hunter2"), std::string::npos) << all.text;
    }
    const auto page = get("/api/v1/schedules?limit=1");
    EXPECT_EQ(page.body["rows"].size(), 1U);
    EXPECT_EQ(get("/api/v1/schedules?limit=1&after=" + page.body["next"].get<std::string>())
                  .body["rows"][0]["schedule"],
              "others");
}

TEST_F(schedules_test, a_token_of_a_workspace_sees_the_schedules_of_that_one_only) {
    define("nightly", workspace);
    define("others", elsewhere);
    start();
    const auto rows = get("/api/v1/schedules", token("ten", "operator", elsewhere)).body["rows"];
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["schedule"], "others");
}

}  // namespace
}  // namespace postrider::test
