#include <algorithm>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "pg/transaction.hpp"
#include "serve/http/http_connection.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"
#include "store/operate/dead_lines.hpp"
#include "store/reads/surface.hpp"

namespace postrider::serve {
namespace {

const std::vector<std::string> filter_queries = {
    "limit",       "after",           "consumer",         "channel",     "handler",    "event_type",
    "source",      "workspace_id",    "fingerprint",      "error_class", "error",      "dead_after",
    "dead_before", "published_after", "published_before", "ids",         "deliveries", "replay"};

nlohmann::json listed(const std::string& text) {
    auto list = nlohmann::json::array();
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        list.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return list;
}

store::dead_filter asked_filter(const call& asked, pg::connection& session) {
    nlohmann::json filter = nlohmann::json::object();
    for (const auto& name : filter_queries) {
        const auto value = asked.query(name);
        if (value.empty() || name == "limit" || name == "after") {
            continue;
        }
        if (name == "error" && !asked.access().error_texts) {
            throw error(errc::permission_denied, "error texts are for operators");
        }
        if (name == "ids" || name == "deliveries") {
            filter[name] = listed(value);
        } else if (name.ends_with("_after") || name.ends_with("_before")) {
            filter[name] = store::instant_ago(session, value);
        } else {
            filter[name] = value;
        }
    }
    return asked.narrowed(std::move(filter));
}

answer list_dead_letters(const call& asked) {
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        return store::dead_page(session, asked_filter(asked, session), page, asked.access(), true);
    }));
}

answer list_discarded(const call& asked) {
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        return store::discarded_page(session, asked_filter(asked, session), page, asked.access());
    }));
}

answer groups(const call& asked) {
    const auto page = asked.page();
    return page_answer(asked.with.database.with([&](pg::connection& session) {
        return store::dead_groups(session, asked.query("consumer"), asked.query("handler"),
                                  asked.access(), page);
    }));
}

// All dead letters that match, page by page: memory does not depend on their number, and a page
// counts against the budget of all connections. The first page is read before the answer begins, so
// that an error has its own status.
void export_lines(const call& asked, httplib::Response& response) {
    constexpr int rows_per_page = 500;
    const auto name = asked.query("format").empty() ? "jsonl" : asked.query("format");
    const auto format = store::line_format_of(name);
    const auto filter = asked.with.database.with(
        [&](pg::connection& session) { return asked_filter(asked, session); });
    auto access = asked.access();
    access.error_chars.reset();
    const auto read = [&with = asked.with, format, filter, access](store::page_request& page) {
        const auto rows = with.database.with([&](pg::connection& session) {
            return store::dead_page(session, filter, page, access);
        });
        page.after = rows.next();
        return store::lines(rows, format);
    };
    store::page_request page{.limit = rows_per_page, .look_ahead = true};
    auto text = store::first_line(format) + read(page);
    if (!http_connection::current().hold_instead(text.size())) {
        throw error(errc::too_many_requests, "too many large responses in memory; try again",
                    {.retryable = true});
    }
    response.set_header("Content-Disposition",
                        "attachment; filename=\"dead-letters." + std::string(name) + "\"");
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(
        format == store::line_format::csv ? "text/csv; charset=utf-8" : "application/jsonl",
        [read, page, text = std::move(text)](std::size_t, httplib::DataSink& sink) mutable {
            try {
                http_connection::current().begin_writing();
                if (!text.empty() && !sink.write(text.data(), text.size())) {
                    return false;
                }
                if (!page.after) {
                    sink.done();
                    return true;
                }
                text = read(page);
                return http_connection::current().hold_instead(text.size());
            } catch (const std::exception&) {
                return false;  // the client sees that the file is cut off
            }
        });
}

store::group_name group_of(const call& asked) {
    const auto& names = asked.path_parameters;
    const auto channel = asked.query("channel");
    return {
        {names.at("consumer"), channel.empty() ? "outbox_default" : channel, names.at("handler")},
        names.at("fingerprint")};
}

answer show_group(const call& asked) {
    const auto span = asked.query("span");
    return {asked.with.database.with([&](pg::connection& session) {
        return store::group_json(session, asked.access(), group_of(asked),
                                 span.empty() ? "day" : span);
    })};
}

answer compare_payloads(const call& asked) {
    return {.body = asked.with.database.with([&](pg::connection& session) {
                return store::group_fields(session, group_of(asked),
                                           {asked.holder.name, "compared the payloads of a group"});
            }),
            .keep = false};
}

answer show_dead_letter(const call& asked) {
    const auto delivery = asked.number("delivery");
    return {asked.with.database.with([&](pg::connection& session) {
        return store::dead_letter_json(session, asked.access(), delivery);
    })};
}

answer show_dead_letter_payload(const call& asked) {
    const auto delivery = asked.number("delivery");
    return {.body = asked.with.database.with([&](pg::connection& session) {
                return store::reveal(session, asked.access(), {}, delivery,
                                     {asked.holder.name, "looked at it"});
            }),
            .keep = false};
}

answer edit(const call& asked) {
    const auto delivery = asked.number("delivery");
    store::audit_entry why{asked.holder.name, ""};
    for (const auto& [name, value] : asked.body_members({"payload", "headers", "reason"})) {
        if (name == "reason" && value != "null") {
            if (!value.starts_with('"')) {
                throw usage_error("reason must be text");
            }
            why.reason = json_unquoted(value);
        }
    }
    return {.body = asked.with.database.with([&](pg::connection& session) {
        if (asked.holder.workspace) {
            static_cast<void>(store::dead_letter_json(session, asked.access(), delivery));
        }
        json_object made;
        made.add("id", store::edit_with(session, delivery, asked.request.body, why));
        return made.text();
    })};
}

using filtered_change = int (*)(pg::connection&, const store::dead_filter&,
                                const store::audit_entry&, store::expected_count);

// `after` and `before` enclose the change: with them the filter of restore matches exactly these
// dead letters.
std::function<answer(const call&)> filtered(filtered_change function) {
    return [function](const call& asked) -> answer {
        const auto body = asked.body({"filter", "reason", "expected"});
        const auto filter = asked.filter(body);
        const auto expected = expected_of(body);
        return {asked.with.database.with([&](pg::connection& session) {
            pg::transaction whole(session);
            const auto after = store::instant_ago(session, "0s");
            const auto count = function(session, filter, asked.audit(body), expected);
            const auto before = store::instant_ago(session, "0s");
            whole.commit();
            return json_object()
                .add("count", count)
                .add("after", after)
                .add("before", before)
                .text();
        })};
    };
}

}  // namespace

std::vector<route> dead_letter_routes(const serve_options&) {
    auto export_queries = filter_queries;
    std::erase_if(export_queries,
                  [](const auto& name) { return name == "limit" || name == "after"; });
    export_queries.emplace_back("format");
    return {
        {.method = "GET",
         .path = "/api/v1/dead-letters",
         .run = list_dead_letters,
         .queries = filter_queries},
        {.method = "GET",
         .path = "/api/v1/dead-letters/export",
         .run = {},
         .queries = export_queries,
         .stream = export_lines},
        {.method = "GET",
         .path = "/api/v1/discarded",
         .run = list_discarded,
         .queries = filter_queries},
        {.method = "GET",
         .path = "/api/v1/dead-letter-groups",
         .run = groups,
         .queries = {"limit", "after", "consumer", "handler"}},
        {.method = "GET",
         .path = "/api/v1/dead-letter-groups/{consumer}/{handler}/{fingerprint}",
         .run = show_group,
         .queries = {"channel", "span"},
         .any_workspace = false},
        {.method = "GET",
         .path = "/api/v1/dead-letter-groups/{consumer}/{handler}/{fingerprint}/fields",
         .needed = standing::operators,
         .run = compare_payloads,
         .queries = {"channel"},
         .any_workspace = false},
        {.method = "POST",
         .path = "/api/v1/dead-letters/discard",
         .needed = standing::operators,
         .run = filtered(store::discard)},
        {.method = "POST",
         .path = "/api/v1/dead-letters/restore",
         .needed = standing::operators,
         .run = filtered(store::restore)},
        {.method = "GET", .path = "/api/v1/dead-letters/{delivery}", .run = show_dead_letter},
        {.method = "GET",
         .path = "/api/v1/dead-letters/{delivery}/payload",
         .needed = standing::operators,
         .run = show_dead_letter_payload},
        {.method = "POST",
         .path = "/api/v1/dead-letters/{delivery}/edit",
         .needed = standing::operators,
         .run = edit,
         .large_body = true},
    };
}

}  // namespace postrider::serve
