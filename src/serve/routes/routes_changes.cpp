#include "base/json/json.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/operators.hpp"
#include "store/work/schedules.hpp"

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

// A change of a schedule: pause, resume or run.
route scheduling(const std::string& verb, std::string (*change)(pg::connection&, const std::string&,
                                                                const store::audit_entry&)) {
    return {.method = "POST",
            .path = "/api/v1/schedules/{schedule}/" + verb,
            .needed = standing::operators,
            .run = [change](const call& asked) -> answer {
                const auto body = asked.body({"reason"});
                return {asked.with.database.with([&](pg::connection& session) {
                    return change(session, asked.path_parameters.at("schedule"), asked.audit(body));
                })};
            },
            .any_workspace = false};
}

template <bool Paused>
std::string pause_schedule(pg::connection& session, const std::string& name,
                           const store::audit_entry& why) {
    store::pause_schedule(session, name, Paused, why);
    return R"({"ok":true})";
}

std::string run_schedule(pg::connection& session, const std::string& name,
                         const store::audit_entry& why) {
    return json_object().add("id", store::run_schedule(session, name, why)).text();
}

}  // namespace

std::vector<route> change_routes(const serve_options&) {
    return {pausing("pause", true),
            pausing("resume", false),
            overriding("hold", store::hold_handler),
            overriding("release", store::release_handler),
            overriding("force", store::force_handler),
            scheduling("pause", pause_schedule<true>),
            scheduling("resume", pause_schedule<false>),
            scheduling("run", run_schedule)};
}

}  // namespace postrider::serve
