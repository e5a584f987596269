#include "serve/figures/overview.hpp"

#include "pg/transaction.hpp"
#include "store/reads/figures.hpp"
#include "store/reads/surface.hpp"
#include "store/reads/views.hpp"

namespace postrider::serve {

using nlohmann::ordered_json;

ordered_json overview::read(bool error_texts) {
    // The page requests it every five seconds: one read serves all viewers and tabs.
    constexpr std::chrono::milliseconds memory{4900};
    auto& mine = kept_.at(error_texts ? 1 : 0);
    const std::lock_guard lock(mine.mutex);
    if (clock::now() >= mine.until) {
        mine.seen = look(error_texts);
        mine.until = clock::now() + memory;
    }
    return mine.seen;
}

void overview::forget() {
    for (auto& mine : kept_) {
        const std::lock_guard lock(mine.mutex);
        mine.until = {};
    }
}

ordered_json overview::look(bool error_texts) {
    constexpr int handlers_max = 100;
    constexpr int groups_max = 5;
    constexpr int replays_max = 20;
    constexpr int error_chars = 500;
    const store::read_access access{
        .error_texts = error_texts, .ids_as_text = true, .error_chars = error_chars};
    // Throws if there are no figures.
    const auto newest = ordered_json::parse(figures_.newest()->figures);
    // All viewers wait for it, not only the client that requested it first.
    const pool::own_work for_all;
    return database_.with([&](pg::connection& session) {
        pg::transaction snapshot(session, pg::isolation::repeatable_read);
        const auto seen = store::figures(session, figures_.counters());
        auto made = ordered_json::parse(seen.figures);
        made["xmin"] = ordered_json::parse(seen.xmin);
        made["sample_ms"] = newest["sample_ms"];
        made["handlers"] = ordered_json::parse(
            store::handlers(session, "", "", access, {.limit = handlers_max}).array());
        // A viewer of the database cannot read the groups.
        made["groups"] =
            database_.may_change()
                ? ordered_json::parse(
                      store::dead_groups(session, "", "", access, {.limit = groups_max}).array())
                : ordered_json::array();
        made["replays"] = ordered_json::parse(
            store::replays(session, store::which_replays::active, access, {.limit = replays_max})
                .array());
        snapshot.commit();
        return made;
    });
}

}  // namespace postrider::serve
