#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operators.hpp"

namespace postrider::serve {
namespace {

store::consumer_name named(const call& asked, const nlohmann::json& body) {
    return {asked.path_parameters.at("consumer"), text_of(body, "channel", "outbox_default")};
}

route pausing(const std::string& verb, bool paused) {
    return {.method = "POST",
            .path = "/api/v1/consumers/{consumer}/" + verb,
            .needed = standing::operators,
            .run = [paused](const call& asked) -> answer {
                const auto body = asked.body({"channel", "reason"});
                asked.with.database.with([&](pg::connection& session) {
                    store::pause_consumer(session, named(asked, body), paused, asked.audit(body));
                });
                return {R"({"ok":true})"};
            },
            .any_workspace = false};
}

answer set_circuit(const call& asked) {
    const auto body = asked.body({"mode", "channel", "reason"});
    asked.with.database.with([&](pg::connection& session) {
        store::set_circuit(session, named(asked, body), asked.path_parameters.at("handler"),
                           text_of(body, "mode"), asked.audit(body));
    });
    return {R"({"ok":true})"};
}

}  // namespace

std::vector<route> change_routes(const serve_options&) {
    return {pausing("pause", true), pausing("resume", false),
            route{.method = "POST",
                  .path = "/api/v1/handlers/{consumer}/{handler}/circuit",
                  .needed = standing::operators,
                  .run = set_circuit,
                  .any_workspace = false}};
}

}  // namespace postrider::serve
