#include "relay/redis/redis_group.hpp"

#include <algorithm>

namespace postrider::relaying {
namespace {

using std::chrono::milliseconds;

// Entries of lost consumers are looked for this often.
constexpr auto claim_interval = milliseconds(1000);
constexpr int claim_calls_max = 100;
constexpr std::size_t id_size_max = 41;  // two numbers of 64 bits

// KEYS: stream. ARGV: group, consumer, idle time, ids. Touches entries that are this consumer's.
constexpr const char* touch_own = R"(
for i = 4, #ARGV do
    local one = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1)
    if one[1] and one[1][2] == ARGV[2] then
        redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'IDLE', ARGV[3], 'JUSTID')
    end
end
return 1)";

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
        redis_group::entry made{text_of(one->element[0]), {}, deliveries};
        const auto* fields = one->element[1];
        for (std::size_t at = 0; at + 1 < fields->elements; at += 2) {
            made.fields.emplace_back(text_of(fields->element[at]),
                                     text_of(fields->element[at + 1]));
        }
        into.push_back(std::move(made));
    }
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

redis_group::entries redis_group::fetch(int limit, claims how, milliseconds wait) {
    entries found;
    if (how != claims::none) {
        claim_lost(how == claims::singly ? 1 : limit, found);
    }
    // 0 would be for ever.
    const auto block = std::max<std::int64_t>(found.all.empty() ? wait.count() : 1, 1);
    auto reply = require({"XREADGROUP", "GROUP", settings_.group, settings_.consumer, "COUNT",
                          std::to_string(limit), "BLOCK", std::to_string(block), "STREAMS",
                          settings_.stream, ">"});
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 1 &&
        reply->element[0]->elements == 2) {
        add_entries(reply->element[0]->element[1], 1, found.all);
        found.bytes += session_.answer_bytes();
        found.elements += session_.answer_elements();
        found.answers.push_back(std::move(reply));
    }
    return found;
}

void redis_group::claim_lost(int limit, entries& into) {
    const auto now = clock::now();
    // Redis looks at ten times as many entries as it is to claim.
    for (int call = 0; now >= next_claim_ && into.all.empty() && call < claim_calls_max; ++call) {
        claim_next(limit, now, into);
    }
}

void redis_group::claim_next(int limit, clock::time_point now, entries& into) {
    auto reply = require({"XAUTOCLAIM", settings_.stream, settings_.group, settings_.consumer,
                          std::to_string(settings_.redeliver_after.count()), claim_from_, "COUNT",
                          std::to_string(limit)});
    next_claim_ = now + claim_interval;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 2) {
        return;
    }
    add_entries(reply->element[1], 2, into.all);
    const auto cursor = text_of(reply->element[0]);
    claim_from_ = cursor.size() <= id_size_max ? cursor : "0-0";
    if (claim_from_ != "0-0") {
        next_claim_ = now;
    }
    if (!into.all.empty()) {  // the answers without entries are not kept: there may be many
        into.bytes += session_.answer_bytes();
        into.elements += session_.answer_elements();
        into.answers.push_back(std::move(reply));
    }
}

bool redis_group::acknowledge(std::span<const std::string> ids) {
    std::vector<std::string_view> command{"XACK", settings_.stream, settings_.group};
    command.insert(command.end(), ids.begin(), ids.end());
    require(command);
    return true;
}

bool redis_group::own(std::span<const std::string> ids, const std::string& idle) {
    std::vector<std::string_view> command{
        "EVAL", touch_own, "1", settings_.stream, settings_.group, settings_.consumer, idle};
    command.insert(command.end(), ids.begin(), ids.end());
    require(command);
    return true;
}

bool redis_group::give_back(std::span<const std::string> ids) {
    return own(ids, std::to_string(settings_.redeliver_after.count()));
}

bool redis_group::keep_alive(std::span<const std::string> ids) { return own(ids, "0"); }

void redis_group::leave() {
    require({"EVAL", leave_if_done, "1", settings_.stream, settings_.group, settings_.consumer});
}

}  // namespace postrider::relaying
