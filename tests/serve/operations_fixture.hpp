#pragma once

#include <string>

#include "serve/page_files.hpp"
#include "serve/schema_check.hpp"
#include "serve/serve_fixture.hpp"

namespace postrider::test {

/// Every operation that the description of the API has, called with something that is there.
class operations_fixture : public serve_fixture {
  protected:
    operations_fixture() : document_(json::parse(serve::page_file("openapi.json")->text)) {}

    /// The path with values for its {names}.
    std::string fill(std::string path) {
        const auto put = [&](const std::string& name, const std::string& with) {
            if (const auto at = path.find(name); at != std::string::npos) {
                path.replace(at, name.size(), with);
            }
        };
        put("{consumer}", "billing");
        put("{handler}", "billing.charge");
        put("{fingerprint}",
            value("select fingerprint from postrider.dead_letters where cycle = 2"));
        put("{id}", value("select id from postrider.dead_letters where cycle = 2"));
        put("{delivery}", value("select delivery_id from postrider.dead_letters where cycle = 2"));
        put("{replay}", value("select max(replay) from postrider.replays"));
        put("{schedule}", "nightly");
        put("{version}", version_of_files());
        put("{file}", "chart.js");
        return path;
    }
    json body_for(const std::string& path) {
        const auto one = json::object({{"deliveries",
                                        {value("select min(delivery_id) from postrider.dead_letters"
                                               " where cycle = 1")}}});
        if (path.ends_with("/edit")) {
            return {{"payload", {{"n", 2}}}, {"headers", {{"x", "y"}}}, {"reason", "a test"}};
        }
        if (path.ends_with("/limit") || path.ends_with("/limit/preview")) {
            json body{{"limit", {{"concurrency", 3}}}};
            if (path.ends_with("/limit")) {
                body["reason"] = "a test";
            }
            return body;
        }
        if (path.ends_with("/seek/preview")) {
            return {{"to", "1h"}};
        }
        if (path.ends_with("/jobs/cancel/preview")) {
            return {{"filter", {{"consumer", "billing"}}}};
        }
        if (path.ends_with("/preview")) {
            return {{"filter", json::object()}};
        }
        if (path.ends_with("/discard") || path.ends_with("/replays")) {
            return {{"filter", one}, {"reason", "a test"}};
        }
        if (path.ends_with("/jobs/cancel")) {
            return {{"filter", {{"consumer", "billing"}, {"event_type", "none"}}},
                    {"reason", "a test"}};
        }
        if (path.ends_with("/restore")) {
            return {{"filter",
                     {{"deliveries",
                       {value("select delivery_id from postrider.discarded_page() limit 1")}}}},
                    {"reason", "a test"}};
        }
        if (path.find("/session") != std::string::npos) {
            return json::object();
        }
        return {{"reason", "a test"}};
    }
    reply ask(const std::string& path, const std::string& method, const std::string& as) {
        return method == "get" ? get(fill(path), as) : post(fill(path), body_for(path), as);
    }
    /// Calls it with every change there is, in an order that lets each of them succeed.
    template <typename Call>
    void each_change(const Call& call) {
        auto left = document_["paths"];
        for (const auto* path : {"/api/v1/consumers/{consumer}/pause",
                                 "/api/v1/consumers/{consumer}/resume",
                                 "/api/v1/handlers/{consumer}/{handler}/hold",
                                 "/api/v1/handlers/{consumer}/{handler}/force",
                                 "/api/v1/handlers/{consumer}/{handler}/release",
                                 "/api/v1/handlers/{consumer}/{handler}/limit/preview",
                                 "/api/v1/handlers/{consumer}/{handler}/limit",
                                 "/api/v1/handlers/{consumer}/{handler}/limit/remove",
                                 "/api/v1/replays/preview",
                                 "/api/v1/replays",
                                 "/api/v1/replays/{replay}/pause",
                                 "/api/v1/replays/{replay}/resume",
                                 "/api/v1/replays/{replay}/cancel",
                                 "/api/v1/replays/{replay}/approve",
                                 "/api/v1/schedules/{schedule}/pause",
                                 "/api/v1/schedules/{schedule}/resume",
                                 "/api/v1/schedules/{schedule}/run",
                                 "/api/v1/jobs/cancel/preview",
                                 "/api/v1/jobs/cancel",
                                 "/api/v1/dead-letters/discard",
                                 "/api/v1/dead-letters/restore",
                                 "/api/v1/dead-letters/{delivery}/edit",
                                 "/api/v1/consumers/{consumer}/seek/preview",
                                 "/api/v1/consumers/{consumer}/seek"}) {
            if (std::string_view(path).ends_with("/approve")) {
                // By another database user: a user cannot approve its own proposal.
                session_.exec(
                    "do $$ begin create role postrider_test_agent in role postrider_agent;"
                    " exception when duplicate_object or unique_violation then null; end $$");
                session_.exec(
                    "set session authorization postrider_test_agent;"
                    " select postrider.replay_propose('{}', 'agent:x', 'please');"
                    " reset session authorization");
            }
            call(path, left.at(path).at("post"));
            left.at(path).erase("post");
        }
        // They change nothing in the database.
        left.erase("/api/v1/session");
        left.erase("/api/v1/session/end");
        for (const auto& [path, operations] : left.items()) {
            EXPECT_FALSE(operations.contains("post")) << path << " was not called";
        }
    }
    const json& schema_of(const json& operation, int status) const {
        return operation["responses"][std::to_string(status)]["content"].begin().value()["schema"];
    }
    void expect_described(const std::string& path, const std::string& method, const json& operation,
                          const std::string& as) {
        const auto answer = ask(path, method, as);
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

}  // namespace postrider::test
