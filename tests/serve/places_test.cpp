#include "serve/page_files.hpp"
#include "serve/schema_check.hpp"
#include "serve/serve_fixture.hpp"

namespace postrider::test {
namespace {

// Lists of the places where messages wait for something other than a worker.
class places_test : public serve_fixture {
  protected:
    // Every reader's rows are as the document describes them.
    json rows(const std::string& path, const std::string& schema, const std::string& reader) {
        const auto document = json::parse(serve::page_file("openapi.json")->text);
        const auto answer = get(path, reader);
        EXPECT_EQ(schema_problems(document, document["components"]["schemas"][schema + "_page"],
                                  answer.body),
                  "")
            << answer.text;
        return answer.body["rows"];
    }

    void register_handler(const std::string& name, const std::string& more) {
        session_.exec(
            "select postrider.register_worker(gen_random_uuid(), 'places', '[{\"name\": \"" + name +
            "\", \"event_types\": [\"*\"]" + more + "}]', 'places')");
    }
};

TEST_F(places_test, limits_are_listed_with_the_messages_that_they_throttle) {
    session_.exec(
        "create temporary table w as select gen_random_uuid() as id;"
        "select postrider.register_worker(id, 'places', '[{\"name\": \"places.slow\","
        " \"event_types\": [\"*\"]}]', 'places') from w;"
        "select postrider.set_limit('places', 'places.slow', '{\"key\": \"source\", \"per_key\": "
        "1}',"
        " 'ann', 'a test', 'places');"
        "select postrider.publish('a', '{}', p_source => s, p_channel => 'places')"
        " from unnest(array['shop', 'shop', 'shop', 'mail']) s");
    session_.exec("select postrider.claim(id, 10) from w");
    start();
    for (const auto& reader : {std::string("prt_admin"), token("vic", "viewer")}) {
        const auto all = rows("/api/v1/limits?consumer=places", "limit", reader);
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(all[0]["definition"], json({{"key", "source"}, {"per_key", 1}}));
        EXPECT_EQ(all[0]["running"], 2);
        EXPECT_EQ(all[0]["throttled"], 2);
        ASSERT_EQ(all[0]["keys"].size(), 1U);
        EXPECT_EQ(all[0]["keys"][0]["key"], "shop");
        EXPECT_EQ(all[0]["keys"][0]["throttled"], 2);
    }
    EXPECT_EQ(get("/api/v1/limits?consumer=none").body["rows"], json::array());
}

TEST_F(places_test, brokers_are_listed_without_credentials) {
    register_handler("places.relay",
                     ", \"broker\": {\"direction\": \"to\", \"address\":"
                     " \"redis://:hunter2@cache:6379?password=hunter2\", \"name\": \"{source}\"}");
    register_handler("places.plain", "");
    start();
    for (const auto& reader : {std::string("prt_admin"), token("vic", "viewer")}) {
        const auto all = rows("/api/v1/brokers", "broker", reader);
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(all[0]["handler"], "places.relay");
        EXPECT_EQ(all[0]["direction"], "to");
        EXPECT_EQ(all[0]["address"], "redis://cache:6379");
        EXPECT_EQ(all[0]["name"], "{source}");
        EXPECT_EQ(all[0]["circuit_state"], "closed");
        EXPECT_EQ(all[0].contains("last_error"), reader == "prt_admin");
    }
}

TEST_F(places_test, unique_keys_are_listed_with_the_job_that_holds_each) {
    register_handler("places.once", "");
    session_.exec(
        "select postrider.publish_unique('once', 'places', 'page:' || n, 'serial', p_channel =>"
        " 'places') from generate_series(1, 3) n");
    start();
    for (const auto& reader : {std::string("prt_admin"), token("vic", "viewer")}) {
        const auto all = rows("/api/v1/unique-keys", "unique_key", reader);
        ASSERT_EQ(all.size(), 3U);
        EXPECT_EQ(all[0]["key"], "page:3") << "the newest first";
        EXPECT_EQ(all[0]["handler"], "places.once");
        EXPECT_EQ(all[0]["running"], false);
    }
}

TEST_F(places_test, sets_are_listed_without_their_messages) {
    register_handler("places.part", "");
    session_.exec(
        "select postrider.publish_set('import:1', jsonb_build_array(m), '{\"event_type\": \"done\","
        " \"channel\": \"places\", \"payload\": {\"secret\": \"hunter2\"}}') from "
        "jsonb_build_object("
        "'event_type', 'part', 'channel', 'places', 'target', 'places') m");
    start();
    for (const auto& reader : {std::string("prt_admin"), token("vic", "viewer")}) {
        const auto all = rows("/api/v1/sets", "job_set", reader);
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(all[0]["name"], "import:1");
        EXPECT_EQ(all[0]["open"], 1);
        EXPECT_EQ(all.dump().find("hunter2"), std::string::npos);
    }
}

}  // namespace
}  // namespace postrider::test
