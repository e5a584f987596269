#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "serve/figures/metrics.hpp"
#include "serve/operations_fixture.hpp"
#include "serve/routes/call.hpp"

// The description of the API is complete, and every answer matches it.
namespace postrider::test {
namespace {

class document_test : public operations_fixture {};

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
    for (const auto& endpoint : serve::routes({})) {
        const char* const roles[] = {"anyone", "viewer", "operator", "admin"};
        there.insert((endpoint.method == "GET" ? "get " : "post ") + endpoint.path + " " +
                     roles[static_cast<int>(endpoint.needed)] + " " +
                     json(std::set(endpoint.queries.begin(), endpoint.queries.end())).dump());
    }
    EXPECT_EQ(json(there), json(described));
}

TEST_F(document_test, every_answer_looks_as_described) {
    seed();
    start();
    const auto viewer = token("vic", "viewer");
    const auto tenant = token("ten", "operator", workspace);
    ASSERT_TRUE(eventually([&] { return !get("/api/v1/overview").body["history"].empty(); }));
    // Reads come first: the changes alter the data that they return.
    for (const auto& [path, operations] : document_["paths"].items()) {
        if (!operations.contains("get") || path == "/api/v1/live") {
            continue;
        }
        const auto& operation = operations["get"];
        expect_described(path, "get", operation, "prt_admin");
        if (operation["x-role"] == "viewer") {
            expect_described(path, "get", operation, viewer);
        }
        // The page of a group counts the dead letters of all workspaces.
        if (path.find("dead-letter-groups/") == std::string::npos &&
            (path.find("messages") != std::string::npos ||
             path.find("dead") != std::string::npos)) {
            expect_described(path, "get", operation, tenant);
        }
    }
    each_change([&](const std::string& path, const json& operation) {
        expect_described(path, "post", operation, "prt_admin");
    });
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
