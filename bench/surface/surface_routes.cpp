// Every route that the page uses, asked over HTTP as a browser does, one after the other.
#include <fmt/core.h>

#include <algorithm>

#include "bench/lab/workload.hpp"
#include "bench/surface/served_page.hpp"
#include "bench/surface/surface.hpp"

namespace postrider::bench {
namespace {

struct question {
    const char* key;  ///< the result it counts for; "" for the rest
    std::string path;
    std::string body = {};
};

// The objects of the requests: the largest group, a dead letter of it, messages old and new.
struct subject {
    std::string group;
    std::string letter;
    std::string message;
    std::string key;
    std::string trace;
    std::string workspace;
    std::string until;
};

subject choose(const fresh_database& database) {
    auto session = database.connect();
    const auto group = session.exec(
        "select format('consumer=%s&channel=%s&handler=%s&fingerprint=%s', consumer, channel,"
        " handler, fingerprint), sample_delivery_id from postrider.dead_letter_groups"
        " order by count desc limit 1");
    const auto message = session.exec(
        "select m.id, m.workspace_id from postrider.message m order by m.published_at limit 1");
    const auto until = session.exec(
        "select to_char((now() - interval '84 hours') at time zone 'UTC',"
        " 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')");
    const auto recent = [&](const char* column) {
        return std::string(
            session
                .exec(fmt::format("select {0} from postrider.message where {0} is not null and"
                                  " published_at < now() - interval '20 hours' order by"
                                  " published_at desc limit 1",
                                  column))
                .text(0, 0));
    };
    return {std::string(group.text(0, 0)),   std::string(group.text(0, 1)),
            std::string(message.text(0, 0)), recent("idempotency_key"),
            recent("trace_context"),         std::string(message.text(0, 1)),
            std::string(until.text(0, 0))};
}

std::string filter_of(std::string query) {
    std::string filter = R"({"filter": {")";
    for (const char one : query) {
        filter += one == '=' ? R"(": ")" : one == '&' ? R"(", ")" : std::string(1, one);
    }
    return filter + R"("}})";
}

std::vector<question> questions(const subject& about) {
    const std::string api = "/api/v1/";
    const auto trace = about.trace.substr(3, 32);
    return {
        {"overview", api + "overview"},
        {"dead_letters", api + "dead-letters?limit=50"},
        {"dead_letters", api + "dead-letters?limit=50&handler=shop.handler_3"},
        {"dead_letters", api + "dead-letters?limit=50&workspace_id=" + about.workspace},
        {"dead_letters", api + "dead-letters?limit=50&error=nowhere"},
        {"dead_letters", api + "dead-letters?limit=50&event_type=order.none"},
        {"dead_letters", api + "discarded?limit=50"},
        {"group", api + "dead-letters?limit=50&" + about.group},
        {"groups", api + "dead-letter-groups?limit=5"},
        {"groups", api + "dead-letter-groups?limit=50"},
        {"groups", api + "dead-letter-groups?limit=50&handler=shop.handler_3"},
        {"letter", api + "dead-letters/" + about.letter},
        {"preview", api + "replays/preview", filter_of(about.group)},
        {"preview", api + "replays/preview", R"({"filter": {"handler": "shop.handler_0"}})"},
        {"preview", api + "replays/preview", R"({"filter": {}})"},
        {"preview", api + "replays/preview", R"({"filter": {"error": "nowhere"}})"},
        {"", api + "me"},
        {"", api + "consumers?limit=50"},
        {"", api + "handlers?limit=100"},
        {"", api + "workers?limit=50"},
        {"", api + "leases?limit=50"},
        {"", api + "replays?active=true&limit=20"},
        {"", api + "replays?limit=50"},
        {"", api + "replays/20"},
        {"", api + "replays/20/items?limit=50"},
        {"", api + "alerts?limit=50"},
        {"", api + "alerts?limit=50&unsent=true"},
        {"", api + "audits?limit=50"},
        {"", api + "retention"},
        {"", api + "settings"},
        {"", api + "deliveries?limit=50&status=pending"},
        {"", api + "deliveries?limit=50&status=in_flight"},
        {"", api + "deliveries?limit=50&status=delivered"},
        {"", api + "deliveries?limit=50&status=failed"},
        {"", api + "deliveries?limit=50&status=failed&handler=shop.handler_3"},
        {"", api + "messages?limit=50"},
        {"", api + "messages?limit=50&until=" + about.until},
        {"", api + "messages?limit=50&event_type=order.none"},
        {"", api + "messages?limit=50&idempotency_key=" + about.key},
        {"", api + "messages?limit=50&trace=" + trace},
        {"", api + "messages?limit=50&id=" + about.message},
        {"", api + "messages/" + about.message},
        {"", "/metrics"},
    };
}

std::string shown(const question& request) {
    const auto name = request.path.substr(request.path.starts_with("/api") ? 8 : 1);
    return request.body.empty() ? name : name + " " + request.body;
}

}  // namespace

void measure_routes(const fresh_database& database, served_page& page, const lab& where,
                    report& results) {
    const int looks = where.tiny() ? 1 : where.size(15, 2);
    const auto all = questions(choose(database));
    progress bar("routes", static_cast<std::int64_t>(all.size()));
    const auto keys = {"overview", "dead_letters", "group", "groups", "letter", "preview", ""};
    std::vector<std::string> table;
    for (const auto* key : keys) {
        double slowest = 0;
        double longest = 0;
        std::string name;
        for (const auto& request : all) {
            if (std::string_view(request.key) != key) {
                continue;
            }
            std::vector<double> took;
            page.look(request.path, request.body);  // plans and caches are warm then
            for (int i = 0; i < looks; ++i) {
                took.push_back(page.look(request.path, request.body));
            }
            const auto middle = median(took);
            if (middle > slowest) {
                slowest = middle;
                name = shown(request);
            }
            longest = std::max(longest, quantile(took, 1));
            table.push_back(
                fmt::format("{:8.1f} {:8.1f}  {}", middle, quantile(took, 1), shown(request)));
            bar.advance(1);
        }
        const std::string stem = *key == '\0' ? "other_slowest" : key;
        results.add(stem + "_ms", slowest);
        results.add(stem + "_max_ms", longest);
        if (*key == '\0') {
            results.add_text("other_slowest", name);
        }
    }
    fmt::print(stderr, "\n  p50 ms   max ms\n");
    for (const auto& line : table) {
        fmt::print(stderr, "{}\n", line);
    }
}

}  // namespace postrider::bench
