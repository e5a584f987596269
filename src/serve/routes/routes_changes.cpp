#include <optional>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/limits.hpp"
#include "store/operate/operators.hpp"
#include "store/reads/surface.hpp"
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

// PostgreSQL's text of an instant in UTC.
std::string rfc3339(std::string instant) {
    if (const auto gap = instant.find(' '); gap != std::string::npos) {
        instant[gap] = 'T';
    }
    return instant.ends_with("+00") ? instant + ":00" : instant;
}

// Moves a consumer to an instant, or previews the effect. The answer has the instant, so that a
// change applies to the messages of its preview.
route seeking(const std::string& path, bool dry_run) {
    return {.method = "POST",
            .path = path,
            .needed = standing::operators,
            .run = [dry_run](const call& asked) -> answer {
                const auto body = dry_run ? asked.body({"channel", "to"})
                                          : asked.body({"channel", "to", "reason"});
                return {asked.with.database.with([&](pg::connection& session) {
                    const auto to = rfc3339(store::instant_ago(session, text_of(body, "to", "0s")));
                    const auto found = store::seek_consumer(session, named(asked, body), to,
                                                            dry_run, asked.audit(body));
                    return json_object()
                        .add("to", to)
                        .add("skipped", found.skipped)
                        .add("waiting", found.waiting)
                        .add("again", found.again)
                        .text();
                })};
            },
            .any_workspace = false};
}

std::optional<std::string> limit_of(const nlohmann::json& body) {
    const auto found = body.find("limit");
    if (found == body.end() || found->is_null()) {
        return {};
    }
    return found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

answer preview_limit(const call& asked) {
    const auto body = asked.body({"channel", "limit"});
    return {asked.with.database.with([&](pg::connection& session) {
        return store::limit_preview(session, named(asked, body),
                                    asked.path_parameters.at("handler"), limit_of(body));
    })};
}

answer change_limit(const call& asked) {
    const auto body = asked.body({"channel", "limit", "reason"});
    const auto limit = limit_of(body);
    if (!limit) {
        throw usage_error("limit must be a JSON object");
    }
    return {json_object()
                .add("result", asked.with.database.with([&](pg::connection& session) {
                    return store::set_limit(session, named(asked, body),
                                            asked.path_parameters.at("handler"), *limit,
                                            asked.audit(body));
                }))
                .text()};
}

route limiting(const std::string& verb, answer (*run)(const call&)) {
    return {.method = "POST",
            .path = "/api/v1/handlers/{consumer}/{handler}/limit" + verb,
            .needed = standing::operators,
            .run = run,
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
            seeking("/api/v1/consumers/{consumer}/seek/preview", true),
            seeking("/api/v1/consumers/{consumer}/seek", false),
            overriding("hold", store::hold_handler),
            overriding("release", store::release_handler),
            overriding("force", store::force_handler),
            overriding("limit/remove", store::remove_limit),
            limiting("/preview", preview_limit),
            limiting("", change_limit),
            scheduling("pause", pause_schedule<true>),
            scheduling("resume", pause_schedule<false>),
            scheduling("run", run_schedule)};
}

}  // namespace postrider::serve
