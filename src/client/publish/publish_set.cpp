#include <algorithm>
#include <postrider/error.hpp>
#include <postrider/publish.hpp>

#include "base/encoding/utf8.hpp"
#include "client/on_borrowed.hpp"
#include "client/publish/check_message.hpp"
#include "client/publish/outgoing.hpp"
#include "client/sink/sink_scope.hpp"
#include "pg/connection.hpp"
#include "store/messages/publish.hpp"

namespace postrider {
namespace {

constexpr std::size_t chunk_members_max = 1000;
constexpr std::size_t member_bytes_max = std::size_t{16} << 20U;

constexpr const char* publish_statement =
    "select cardinality(postrider.publish_set($1, $2, $3, $4))";
constexpr const char* add_statement = "select cardinality(postrider.add_to_set($1, $2))";

using parameters = std::vector<std::optional<std::string>>;

// A member of an array, because publish_many() takes one.
std::string completed_json(const job_set& set) {
    if (!set.completed.id.empty()) {
        throw usage_error("publish_set: the message of a set cannot have an id");
    }
    client::outgoing one;
    one.add(set.completed);
    auto row = one[0];
    row.id.reset();
    const auto array = store::messages_json({&row, 1});
    return array.substr(1, array.size() - 2);
}

void check(const job_set& set, std::span<const message> members) {
    if (usable_utf8(set.name) != set.name.size()) {
        throw usage_error("publish_set: the name must be UTF-8 without zero bytes");
    }
    if (members.empty()) {
        throw usage_error("publish_set: a set needs a member");
    }
    client::check_message(set.completed, "publish_set");
    for (std::size_t i = 0; i < members.size(); ++i) {
        client::check_message(members[i], "publish_set", i + 1);
        if (!members[i].target) {
            throw usage_error("publish_set: message " + std::to_string(i + 1) +
                              ": a member needs a target: name the consumer that is to run it");
        }
    }
}

std::size_t chunk_of(std::span<const message> members) {
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count < std::min(chunk_members_max, members.size()) && bytes < member_bytes_max) {
        bytes += members[count].payload.size();
        ++count;
    }
    return count;
}

/// `run` executes a statement with these parameters.
template <typename Run>
std::vector<std::string> publish_with(const job_set& set, std::span<const message> members,
                                      const Run& run) {
    check(set, members);
    std::vector<std::string> ids;
    const auto to = client::publish_sink();
    for (auto rest = members; !rest.empty();) {
        const auto count = chunk_of(rest);
        client::outgoing chunk;
        for (const auto& one : rest.first(count)) {
            chunk.add(one);
        }
        parameters values{set.name, store::messages_json(chunk.rows())};
        if (ids.empty()) {
            values.emplace_back(completed_json(set));
            values.emplace_back(set.dead == dead_member::blocks ? "blocks" : "ends");
        }
        run(ids.empty() ? publish_statement : add_statement, values);
        for (std::size_t i = 0; i < count; ++i) {
            ids.push_back(chunk.ids()[i].text());
            if (to) {
                client::report_published(*to, chunk[i]);
            }
        }
        rest = rest.subspan(count);
    }
    return ids;
}

}  // namespace

std::vector<std::string> publish_set(executor& within, const job_set& set,
                                     std::span<const message> members) {
    if (auto* raw = within.native()) {
        return publish_set(raw, set, members);
    }
    return publish_with(set, members, [&](const char* statement, const parameters& values) {
        within.query_value(statement, values);
    });
}

std::vector<std::string> publish_set(pg_conn* within, const job_set& set,
                                     std::span<const message> members) {
    return publish_with(set, members, [&](const char* statement, const parameters& arguments) {
        client::on_borrowed(within, "publish_set", [&](auto& session) {
            pg::params values;
            for (const auto& value : arguments) {
                values.add(value);
            }
            session.exec_params(statement, values);
        });
    });
}

}  // namespace postrider
