#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/operators.hpp"

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

route overriding(const std::string& verb, decltype(&store::hold_handler) change) {
    return {.method = "POST",
            .path = "/api/v1/handlers/{consumer}/{handler}/" + verb,
            .needed = standing::operators,
            .run = [change](const call& asked) -> answer {
                const auto body = asked.body({"channel", "reason"});
                asked.with.database.with([&](pg::connection& session) {
                    change(session, named(asked, body), asked.path_parameters.at("handler"),
                           asked.audit(body));
                });
                return {R"({"ok":true})"};
            },
            .any_workspace = false};
}

}  // namespace

std::vector<route> change_routes(const serve_options&) {
    return {pausing("pause", true), pausing("resume", false),
            overriding("hold", store::hold_handler), overriding("release", store::release_handler),
            overriding("force", store::force_handler)};
}

}  // namespace postrider::serve
