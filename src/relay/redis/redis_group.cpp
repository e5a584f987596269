#include "relay/redis/redis_group.hpp"

#include <algorithm>
#include <iterator>

#include "relay/redis/redis_message.hpp"

namespace postrider::relaying {
namespace {

constexpr std::size_t id_size_max = 41;  // two numbers of 64 bits

// KEYS: stream. ARGV: group, consumer, idle time, ids. Touches entries that are this consumer's,
// and returns their ids.
constexpr const char* touch_own = R"(
local own = {}
for i = 4, #ARGV do
    local one = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1)
    if one[1] and one[1][2] == ARGV[2] then
        redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'IDLE', ARGV[3], 'JUSTID')
        own[#own + 1] = ARGV[i]
    end
end
return own)";

// KEYS: stream. ARGV: group, consumer. Deleting a consumer would forget its pending entries.
constexpr const char* leave_if_done = R"(
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
end
return 1)";

std::string_view text_of(const redisReply* from) {
    return from->str == nullptr ? std::string_view{} : std::string_view(from->str, from->len);
}

// [id, [field, value, …]]; nothing for an entry that was deleted.
void add_entries(const redisReply* list, int deliveries, std::vector<redis_group::entry>& into) {
    for (std::size_t i = 0; i < list->elements; ++i) {
        const auto* one = list->element[i];
        if (one->type != REDIS_REPLY_ARRAY || one->elements != 2 ||
            one->element[1]->type != REDIS_REPLY_ARRAY) {
            continue;
        }
        redis_group::entry made{text_of(one->element[0]), {}, deliveries, 0};
        const auto* fields = one->element[1];
        for (std::size_t at = 0; at + 1 < fields->elements; at += 2) {
            made.fields.emplace_back(text_of(fields->element[at]),
                                     text_of(fields->element[at + 1]));
        }
        made.message_bytes = message_size_of(made.fields);
        into.push_back(std::move(made));
    }
}

void add_id(const redisReply* from, std::size_t limit, std::vector<std::string>& into) {
    const auto id = text_of(from);
    if (!id.empty() && id.size() <= id_size_max && into.size() < limit) {
        into.emplace_back(id);
    }
}

std::vector<std::string> ids_of(const redisReply* list, std::size_t limit) {
    std::vector<std::string> all;
    for (std::size_t i = 0; list->type == REDIS_REPLY_ARRAY && i < list->elements; ++i) {
        add_id(list->element[i], limit, all);
    }
    return all;
}

}  // namespace

redis_group::redis_group(const redis_settings& server, settings how)
    : session_(server), settings_(std::move(how)) {
    const auto made =
        session_.call({"XGROUP", "CREATE", settings_.stream, settings_.group, "0", "MKSTREAM"});
    if (made->type == REDIS_REPLY_ERROR && !text_of(made.get()).starts_with("BUSYGROUP")) {
        throw redis_failure(std::string(text_of(made.get())));
    }
}

redis_reply redis_group::require(const std::vector<std::string_view>& command) {
    auto reply = session_.call(command);
    if (reply->type == REDIS_REPLY_ERROR) {
        throw redis_failure(std::string(text_of(reply.get())));
    }
    return reply;
}

void redis_group::entries::append(entries more) {
    std::ranges::move(more.answers, std::back_inserter(answers));
    std::ranges::move(more.all, std::back_inserter(all));
    bytes += more.bytes;
    elements += more.elements;
}

redis_group::entries redis_group::one_answer(redis_reply reply, const redisReply* list,
                                             int deliveries) const {
    entries made;
    made.elements = session_.answer_elements();
    if (list->type == REDIS_REPLY_ARRAY) {
        add_entries(list, deliveries, made.all);
    }
    for (const auto& one : made.all) {
        made.bytes += one.message_bytes;
    }
    made.bytes = std::max(made.bytes, session_.answer_bytes());
    made.answers.push_back(std::move(reply));
    return made;
}

redis_group::entries redis_group::read_new(int limit, std::chrono::milliseconds wait) {
    // 0 would be for ever.
    const auto block = std::max<std::int64_t>(wait.count(), 1);
    auto reply = require({"XREADGROUP", "GROUP", settings_.group, settings_.consumer, "COUNT",
                          std::to_string(limit), "BLOCK", std::to_string(block), "STREAMS",
                          settings_.stream, ">"});
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 1 ||
        reply->element[0]->type != REDIS_REPLY_ARRAY || reply->element[0]->elements != 2) {
        return {};
    }
    const auto* list = reply->element[0]->element[1];
    return one_answer(std::move(reply), list, 1);
}

// Redis looks at ten times as many entries as it is to claim.
redis_group::claimed redis_group::claim(const std::string& from, int limit) {
    const auto reply = require({"XAUTOCLAIM", settings_.stream, settings_.group, settings_.consumer,
                                std::to_string(settings_.redeliver_after.count()), from, "COUNT",
                                std::to_string(limit), "JUSTID"});
    claimed found{.ids = {}, .next = "0-0"};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 2) {
        return found;
    }
    found.ids = ids_of(reply->element[1], static_cast<std::size_t>(limit));
    if (const auto next = text_of(reply->element[0]); next.size() <= id_size_max) {
        found.next = next;
    }
    return found;
}

redis_group::entries redis_group::read(std::span<const std::string> ids, int deliveries) {
    std::vector<std::string_view> command{"XCLAIM", settings_.stream, settings_.group,
                                          settings_.consumer, "0"};
    command.insert(command.end(), ids.begin(), ids.end());
    auto reply = require(command);
    const auto* list = reply.get();
    return one_answer(std::move(reply), list, deliveries);
}

std::vector<std::string> redis_group::handed_out_once(const std::string& above, int limit) {
    const auto reply =
        require({"XPENDING", settings_.stream, settings_.group, above.empty() ? "-" : "(" + above,
                 "+", std::to_string(limit), settings_.consumer});
    std::vector<std::string> found;
    for (std::size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; ++i) {
        const auto* one = reply->element[i];  // id, consumer, idle time, deliveries
        if (one->type == REDIS_REPLY_ARRAY && one->elements == 4 && one->element[3]->integer == 1) {
            add_id(one->element[0], static_cast<std::size_t>(limit), found);
        }
    }
    return found;
}

void redis_group::acknowledge(std::span<const std::string> ids) {
    std::vector<std::string_view> command{"XACK", settings_.stream, settings_.group};
    command.insert(command.end(), ids.begin(), ids.end());
    require(command);
}

std::vector<std::string> redis_group::own(std::span<const std::string> ids,
                                          const std::string& idle) {
    std::vector<std::string_view> command{
        "EVAL", touch_own, "1", settings_.stream, settings_.group, settings_.consumer, idle};
    command.insert(command.end(), ids.begin(), ids.end());
    const auto reply = require(command);
    return ids_of(reply.get(), ids.size());
}

void redis_group::give_back(std::span<const std::string> ids) {
    own(ids, std::to_string(settings_.redeliver_after.count()));
}

std::vector<std::string> redis_group::keep_alive(std::span<const std::string> ids) {
    return own(ids, "0");
}

void redis_group::leave() {
    require({"EVAL", leave_if_done, "1", settings_.stream, settings_.group, settings_.consumer});
}

}  // namespace postrider::relaying
