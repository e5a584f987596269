#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "serve/call.hpp"
#include "serve/metrics.hpp"
#include "serve/page_files.hpp"
#include "serve/schema_check.hpp"
#include "serve/serve_fixture.hpp"

// The description of the API is true: nothing is missing, and every answer looks as it says.
namespace postrider::test {
namespace {

class document_test : public serve_fixture {
  protected:
    document_test() : document_(json::parse(serve::page_file("openapi.json")->text)) {}

    /// Calls every operation of the document with these values in the path.
    std::string fill(std::string path) {
        const auto put = [&](const std::string& name, const std::string& with) {
            if (const auto at = path.find(name); at != std::string::npos) {
                path.replace(at, name.size(), with);
            }
        };
        put("{consumer}", "billing");
        put("{handler}", "billing.charge");
        put("{id}", value("select id from postrider.dead_letters where cycle = 2"));
        put("{delivery}", value("select delivery_id from postrider.dead_letters where cycle = 2"));
        put("{replay}", value("select max(replay) from postrider.replays"));
        put("{file}", "chart.js");
        return path;
    }
    json body_for(const std::string& path) {
        const auto one = json::object({{"deliveries",
                                        {value("select min(delivery_id) from postrider.dead_letters"
                                               " where cycle = 1")}}});
        if (path.ends_with("/circuit")) {
            return {{"mode", "automatic"}, {"reason", "a test"}};
        }
        if (path.ends_with("/edit")) {
            return {{"payload", {{"n", 2}}}, {"headers", {{"x", "y"}}}, {"reason", "a test"}};
        }
        if (path.ends_with("/preview")) {
            return {{"filter", json::object()}};
        }
        if (path.ends_with("/discard") || path.ends_with("/replays")) {
            return {{"filter", one}, {"reason", "a test"}};
        }
        if (path.ends_with("/restore")) {
            return {{"filter",
                     {{"deliveries",
                       {value("select delivery_id from postrider.discarded_page() limit 1")}}}},
                    {"reason", "a test"}};
        }
        return {{"reason", "a test"}};
    }
    const json& schema_of(const json& operation, int status) const {
        return operation["responses"][std::to_string(status)]["content"].begin().value()["schema"];
    }
    void expect_described(const std::string& path, const std::string& method, const json& operation,
                          const std::string& as) {
        const auto answer =
            method == "get" ? get(fill(path), as) : post(fill(path), body_for(path), as);
        const auto named = method + " " + path + " as " + as.substr(0, 9);
        const auto wanted = operation["responses"].begin().key();
        ASSERT_EQ(std::to_string(answer.status), wanted) << named << ": " << answer.text;
        const auto type = operation["responses"][wanted]["content"].begin().key();
        if (type != "application/json") {
            EXPECT_FALSE(answer.text.empty()) << named;
            return;
        }
        EXPECT_EQ(answer.header("Content-Type"), type) << named;
        EXPECT_EQ(schema_problems(document_, schema_of(operation, answer.status), answer.body), "")
            << named << ": " << answer.text.substr(0, 2000);
    }

    json document_;
};

TEST_F(document_test, every_route_is_described_and_every_description_has_a_route) {
    std::set<std::string> described;
    for (const auto& [path, operations] : document_["paths"].items()) {
        for (const auto& [method, operation] : operations.items()) {
            std::set<std::string> queries;
            for (auto parameter : operation.value("parameters", json::array())) {
                if (parameter.contains("$ref")) {
                    parameter = document_.at(
                        json::json_pointer(parameter["$ref"].get<std::string>().substr(1)));
                }
                if (parameter["in"] == "query") {
                    queries.insert(parameter["name"]);
                }
            }
            described.insert(method + " " + path + " " + operation["x-role"].get<std::string>() +
                             " " + json(queries).dump());
        }
    }
    std::set<std::string> there;
    for (const auto& way : serve::routes({})) {
        const char* const roles[] = {"anyone", "viewer", "operator", "admin"};
        there.insert((way.method == "GET" ? "get " : "post ") + way.path + " " +
                     roles[static_cast<int>(way.needed)] + " " +
                     json(std::set(way.queries.begin(), way.queries.end())).dump());
    }
    EXPECT_EQ(json(there), json(described));
}

TEST_F(document_test, every_answer_looks_as_described) {
    seed();
    start();
    const auto viewer = token("vic", "viewer");
    const auto tenant = token("ten", "operator", workspace);
    ASSERT_TRUE(eventually([&] { return !get("/api/v1/overview").body["history"].empty(); }));
    // First everything that only looks: the changes change what there is to see.
    for (const auto& [path, operations] : document_["paths"].items()) {
        if (!operations.contains("get") || path == "/api/v1/live") {
            continue;
        }
        const auto& operation = operations["get"];
        expect_described(path, "get", operation, "prt_admin");
        if (operation["x-role"] == "viewer") {
            expect_described(path, "get", operation, viewer);
        }
        if (path.find("messages") != std::string::npos || path.find("dead") != std::string::npos) {
            expect_described(path, "get", operation, tenant);
        }
    }
    for (const auto* path :
         {"/api/v1/consumers/{consumer}/pause", "/api/v1/consumers/{consumer}/resume",
          "/api/v1/handlers/{consumer}/{handler}/circuit", "/api/v1/replays/preview",
          "/api/v1/replays", "/api/v1/replays/{replay}/pause", "/api/v1/replays/{replay}/resume",
          "/api/v1/replays/{replay}/cancel", "/api/v1/replays/{replay}/approve",
          "/api/v1/dead-letters/discard", "/api/v1/dead-letters/restore",
          "/api/v1/dead-letters/{delivery}/edit"}) {
        if (std::string_view(path).ends_with("/approve")) {
            session_.exec("select postrider.replay_propose('{}', 'agent:x', 'please')");
        }
        expect_described(path, "post", document_["paths"].at(path).at("post"), "prt_admin");
        document_["paths"].at(path).erase("post");
    }
    for (const auto& [path, operations] : document_["paths"].items()) {
        EXPECT_FALSE(operations.contains("post")) << path << " was not called";
    }
}

TEST_F(document_test, an_error_looks_as_described) {
    start();
    const auto& schema = document_["components"]["schemas"]["problem"];
    for (const auto& answer :
         {get("/api/v1/nothing"), get("/api/v1/me", ""), get("/api/v1/messages/1"),
          get("/api/v1/dead-letters/99"), get("/api/v1/consumers?limit=0"),
          get("/api/v1/consumers?colour=red"), get("/api/v1/consumers?after=!"),
          post("/api/v1/dead-letters/discard", {{"filter", {{"colour", "red"}}}, {"reason", "x"}}),
          post("/api/v1/consumers/none/pause", {{"reason", "x"}}),
          post("/api/v1/consumers/none/pause", json::object())}) {
        EXPECT_EQ(answer.header("Content-Type"), "application/problem+json") << answer.text;
        EXPECT_EQ(schema_problems(document_, schema, answer.body), "") << answer.text;
        EXPECT_EQ(answer.body["status"], answer.status) << answer.text;
    }
}

TEST_F(document_test, the_metrics_are_those_of_the_reference) {
    seed();
    start();
    const auto text = get("/metrics").text;
    std::set<std::string> served;
    const std::regex help("# HELP (\\S+) ");
    for (std::sregex_iterator at(text.begin(), text.end(), help), end; at != end; ++at) {
        served.insert((*at)[1]);
    }
    std::ifstream page(POSTRIDER_METRICS_PAGE);
    const std::string all(std::istreambuf_iterator<char>(page), {});
    const auto own = all.substr(all.find("## Of `postrider serve`"));
    std::set<std::string> documented;
    const std::regex row("\\| `(postrider_\\w+)` \\|");
    for (std::sregex_iterator at(own.begin(), own.end(), row), end; at != end; ++at) {
        documented.insert((*at)[1]);
    }
    EXPECT_EQ(json(served), json(documented));
    EXPECT_NE(text.find("postrider_consumer_dead_letters{consumer=\"billing\",channel=\"outbox_"
                        "default\"} 4\n"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace postrider::test
