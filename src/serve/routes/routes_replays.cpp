#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/replays.hpp"
#include "store/reads/surface.hpp"
#include "store/reads/views.hpp"

namespace postrider::serve {
namespace {

answer list_replays(const call& asked) {
    using which = store::which_replays;
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        return store::replays(session, asked.flag("active") ? which::active : which::all,
                              asked.access(), page);
    }));
}

answer show_replay(const call& asked) {
    const auto replay = asked.number("replay");
    return {asked.with.database.with([&](pg::connection& session) {
        return store::replay_json(session, asked.access(), replay);
    })};
}

answer items(const call& asked) {
    const auto replay = asked.number("replay");
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        // Throws if the replay does not exist or is not visible.
        store::require_replay(session, asked.access(), replay);
        return store::replay_items(session, replay, asked.query("outcome"), asked.access(), page);
    }));
}

answer preview(const call& asked) {
    const auto body = asked.body({"filter", "exact"});
    const auto filter = asked.filter(body);
    const auto exact = body.find("exact");
    if (exact != body.end() && !exact->is_boolean()) {
        throw usage_error("exact must be true or false");
    }
    const bool all = exact != body.end() && exact->get<bool>();
    return {asked.with.database.with(
        [&](pg::connection& session) { return store::preview_json(session, filter, all); })};
}

std::optional<std::int64_t> generation_of(const nlohmann::json& body) {
    const auto found = body.find("generation");
    if (found == body.end() || found->is_null()) {
        return std::nullopt;
    }
    if (found->is_number_integer() &&
        (!found->is_number_unsigned() || found->get<std::uint64_t>() <= INT64_MAX)) {
        return found->get<std::int64_t>();
    }
    const auto text = text_of(body, "generation");
    if (text.empty() || text.size() > 18 ||
        text.find_first_not_of("0123456789") != std::string::npos) {
        throw usage_error("generation must be a number");
    }
    return std::stoll(text);
}

answer start(const call& asked) {
    const auto body = asked.body({"filter", "canary", "rate", "generation", "reason", "expected"});
    store::replay_request request{.filter = asked.filter(body), .why = asked.audit(body)};
    if (const auto canary = body.find("canary"); canary != body.end()) {
        constexpr std::int64_t canary_max = 1000000000;
        if (!canary->is_number_integer() || *canary < 0 || *canary > canary_max) {
            throw usage_error("canary must be a number, at least 0");
        }
        request.canary = canary->get<int>();
    }
    if (const auto rate = body.find("rate"); rate != body.end() && !rate->is_null()) {
        if (!rate->is_number() || !(rate->get<double>() > 0)) {
            throw usage_error("rate must be a number greater than 0; omit it for no limit");
        }
        request.rate = rate->get<double>();
    }
    request.generation = generation_of(body);
    request.expected = expected_of(body);
    const auto made = asked.with.database.with(
        [&](pg::connection& session) { return store::replay_start(session, request); });
    return {.body = json_object().add("replay", std::to_string(made)).text(), .status = 201};
}

using replay_change = std::function<void(pg::connection&, std::int64_t, const store::audit_entry&,
                                         const store::token_holder&)>;

using plain_change = void (*)(pg::connection&, std::int64_t, const store::audit_entry&);

replay_change by_anyone(plain_change function) {
    return [function](pg::connection& session, std::int64_t replay, const store::audit_entry& why,
                      const store::token_holder&) { function(session, replay, why); };
}

void approve(pg::connection& session, std::int64_t replay, const store::audit_entry& why,
             const store::token_holder& holder) {
    store::replay_approve(session, replay, why, holder.sha256);
}

route changing(const std::string& verb, const replay_change& function) {
    return {.method = "POST",
            .path = "/api/v1/replays/{replay}/" + verb,
            .needed = standing::operators,
            .run = [function](const call& asked) -> answer {
                const auto replay = asked.number("replay");
                const auto body = asked.body({"reason"});
                asked.with.database.with([&](pg::connection& session) {
                    store::require_replay(session, asked.access(), replay);
                    function(session, replay, asked.audit(body), asked.holder);
                });
                return {R"({"ok":true})"};
            }};
}

}  // namespace

std::vector<route> replay_routes(const serve_options&) {
    return {
        {.method = "GET",
         .path = "/api/v1/replays",
         .run = list_replays,
         .queries = {"limit", "after", "active"}},
        {.method = "POST", .path = "/api/v1/replays", .needed = standing::operators, .run = start},
        {.method = "POST",
         .path = "/api/v1/replays/preview",
         .needed = standing::operators,
         .run = preview},
        {.method = "GET", .path = "/api/v1/replays/{replay}", .run = show_replay},
        {.method = "GET",
         .path = "/api/v1/replays/{replay}/items",
         .run = items,
         .queries = {"limit", "after", "outcome"}},
        changing("approve", approve),
        changing("pause", by_anyone(store::replay_pause)),
        changing("resume", by_anyone(store::replay_resume)),
        changing("cancel", by_anyone(store::replay_cancel)),
    };
}

}  // namespace postrider::serve
