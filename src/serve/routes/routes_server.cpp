#include <postrider/error.hpp>
#include <postrider/version.hpp>

#include "base/json/json.hpp"
#include "serve/figures/metrics.hpp"
#include "serve/http/http_connection.hpp"
#include "serve/page_files.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/reads/figures.hpp"
#include "store/reads/views.hpp"

namespace postrider::serve {
namespace {

answer me(const call& asked) {
    const auto rank = standing_of(asked.holder.role);
    json_array may;
    if (rank >= standing::operators) {
        may.add("reveal").add("change");
    }
    if (!asked.holder.workspace) {
        may.add("audits");
    }
    json_object object;
    object.add("name", asked.holder.name).add("role", asked.holder.role);
    const auto nullable = [&](const char* name, const std::optional<std::string>& value) {
        object.add_raw(name, value ? json_string(*value) : "null");
    };
    nullable("workspace", asked.holder.workspace);
    nullable("expires_at", asked.holder.expires_at);
    nullable("trace_link", asked.with.options.trace_link);
    object.add("version", version()).add_raw("may", may.text());
    return {object.text()};
}

answer read_overview(const call& asked) {
    auto seen = asked.with.screen.read(asked.access().error_texts);
    if (!asked.flag("brief")) {
        seen["history"] = asked.with.figures.history();
    }
    return {seen.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

answer sign_in(const call& asked) {
    static_cast<void>(asked.body({}));
    if (asked.session_until) {
        throw error(errc::permission_denied, "a new session requires a token, not a session");
    }
    auto begun = asked.with.browsers->begin(asked.token);
    json_object object;
    object.add("key", begun.key)
        .add_raw("expires_in_s",
                 std::to_string(std::chrono::seconds(browser_sessions::lifetime).count()))
        .add_raw("me", me(asked).body);
    return {.body = object.text(),
            .status = 201,
            .keep = false,
            .set_cookie = std::move(begun.set_cookie)};
}

answer sign_out(const call& asked) {
    static_cast<void>(asked.body({}));
    return {.body = R"({"ok":true})", .keep = false, .set_cookie = asked.with.browsers->end()};
}

void live(const call& asked, httplib::Response& response) {
    auto& with = asked.with;
    response.set_chunked_content_provider(
        "text/event-stream",
        [&with, token = asked.token, until = asked.session_until, number = std::uint64_t{0},
         checked = std::chrono::steady_clock::now()](std::size_t, httplib::DataSink& sink) mutable {
            // Streams with the same token share a query: its holder is cached for 2 s.
            constexpr std::chrono::seconds check_every{3};
            // Between two checks at most, also while figures are missing: 5 s.
            constexpr std::chrono::seconds quiet_max{2};
            const auto now = std::chrono::steady_clock::now();
            if (until && *until <= browser_sessions::clock::now()) {
                return false;
            }
            if (now - checked >= check_every) {
                try {
                    if (!with.tokens.of(token)) {
                        return false;
                    }
                } catch (const error&) {
                    // The database is unavailable; the viewer was authenticated before.
                }
                checked = now;
            }
            const auto seen = with.figures.next(number, quiet_max);
            std::string event = ": nothing new\n\n";
            if (seen) {
                number = seen->number;
                event = "event: figures\nid: " + std::to_string(number) +
                        "\ndata: " + seen->figures + "\n\n";
            }
            http_connection::current().begin_writing();
            return !with.figures.stopped() && sink.write(event.data(), event.size());
        });
}

answer metrics(const call& asked) {
    const auto seen = asked.with.figures.newest();
    const store::page_request all{.limit = 1000};
    const store::read_access viewer{.error_texts = false, .ids_as_text = true};
    std::string handlers;
    std::string replays;
    std::string jobs;
    asked.with.database.with([&](pg::connection& session) {
        handlers = store::handlers(session, "", "", viewer, all).array();
        replays = store::replays(session, store::which_replays::active, viewer, all).array();
        jobs = store::job_figures(session);
    });
    return {.body = metrics_text(seen->figures, handlers, replays, jobs),
            .type = "text/plain; version=0.0.4; charset=utf-8",
            .keep = false};
}

answer ready(const call& asked) {
    static_cast<void>(asked.with.figures.newest());
    return {.body = R"({"status":"ready"})", .keep = false};
}

answer file(const std::string& path, bool immutable = false) {
    const auto* found = page_assets::all().find(path);
    if (found == nullptr) {
        throw error(errc::message_not_found, "not found: " + path.substr(0, 100));
    }
    return {.body = {}, .type = std::string(found->type), .file = found, .immutable = immutable};
}

// A file of the page under its versioned path.
answer asset(const call& asked) { return file(asked.request.path.substr(1), true); }

}  // namespace

std::vector<route> server_routes(const serve_options& options) {
    const auto get = [](const char* path, standing needed, std::function<answer(const call&)> run) {
        return route{.method = "GET", .path = path, .needed = needed, .run = std::move(run)};
    };
    // Totals reveal the activity of other workspaces.
    const auto whole = [&](const char* path, standing needed,
                           std::function<answer(const call&)> run) {
        auto made = get(path, needed, std::move(run));
        made.any_workspace = false;
        return made;
    };
    const auto health = [&](const char* path, std::function<answer(const call&)> run) {
        auto made = get(path, standing::anyone, std::move(run));
        made.health = true;
        return made;
    };
    auto figures = whole("/api/v1/live", standing::viewer, {});
    figures.stream = live;
    auto whole_overview = whole("/api/v1/overview", standing::viewer, read_overview);
    whole_overview.queries = {"brief"};
    const auto sign = [](standing needed, const char* path, answer (*run)(const call&)) {
        return route{
            .method = "POST", .path = path, .needed = needed, .run = run, .small_body = true};
    };
    return {
        get("/api/v1/me", standing::viewer, me),
        whole_overview,
        whole("/api/v1/doctor", standing::operators,
              [](const call& asked) -> answer { return {asked.with.checks.read()}; }),
        sign(standing::viewer, "/api/v1/session", sign_in),
        sign(standing::anyone, "/api/v1/session/end", sign_out),
        figures,
        whole("/metrics", options.open_metrics ? standing::anyone : standing::viewer, metrics),
        get("/api/v1/openapi.json", standing::anyone,
            [](const call&) { return file("openapi.json"); }),
        health("/healthz",
               [](const call&) -> answer { return {.body = R"({"status":"up"})", .keep = false}; }),
        health("/readyz", ready),
        get("/", standing::anyone, [](const call&) { return file("index.html"); }),
        get("/assets/{version}/{file}", standing::anyone, asset),
    };
}

}  // namespace postrider::serve
