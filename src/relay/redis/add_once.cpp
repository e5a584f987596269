#include "relay/redis/add_once.hpp"

#include <algorithm>
#include <map>

namespace postrider::relaying {
namespace {

// Redis does nothing else during a call: about a millisecond for this many small messages.
constexpr std::size_t call_messages_max = 100;
constexpr std::size_t call_bytes_max = std::size_t{1} << 20;

bool same_names(const outgoing& a, const outgoing& b) {
    return std::ranges::equal(a.headers, b.headers, {}, &header::first, &header::first);
}

}  // namespace

// KEYS: the stream, then a deduplication key per message. ARGV: milliseconds to remember a message,
// milliseconds to keep entries (0: for ever), the number of shapes, the shapes, the messages. A
// shape is a list of field names: their number, then the names. A message is the number of its
// shape and the values. Most messages have the same shape, and each text that Lua gets costs
// Redis as much as storing it. Trimming is by age: a count would remove entries that consumers have
// not read when many messages arrive at once.
const char* const add_once_script = R"(
local add = {'XADD', KEYS[1]}
if ARGV[2] ~= '0' then
    local now = redis.call('TIME')
    local oldest = now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[2]
    add[3], add[4], add[5] = 'MINID', '~', string.format('%.0f', oldest)
end
add[#add + 1] = '*'
local at = 4
local commands = {}
for shape = 1, ARGV[3] do
    local command = {unpack(add)}
    for i = at + 1, at + ARGV[at] do
        command[#command + 1] = ARGV[i]
        command[#command + 1] = ''
    end
    commands[shape] = command
    at = at + 1 + ARGV[at]
end
local ids = redis.call('MGET', unpack(KEYS, 2))
for message = 1, #ids do
    local command = commands[tonumber(ARGV[at])]
    for value = #add + 2, #command, 2 do
        at = at + 1
        command[value] = ARGV[at]
    end
    at = at + 1
    if not ids[message] then
        local id = redis.pcall(unpack(command))
        if type(id) == 'string' then
            redis.call('SET', KEYS[message + 1], id, 'PX', ARGV[1])
        end
        ids[message] = id
    end
end
return ids)";

std::vector<std::vector<std::size_t>> calls_for(std::span<const outgoing> all) {
    struct open_call {
        std::vector<std::size_t> indexes;
        std::size_t bytes = 0;
    };
    std::map<std::string_view, open_call> open;  // by stream
    std::vector<std::vector<std::size_t>> calls;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& call = open[all[i].destination];
        const auto bytes = all[i].message->payload().size();
        if (!call.indexes.empty() &&
            (call.indexes.size() == call_messages_max || call.bytes + bytes > call_bytes_max)) {
            calls.push_back(std::move(call.indexes));
            call = {};
        }
        call.indexes.push_back(i);
        call.bytes += bytes;
    }
    for (auto& [stream, call] : open) {
        calls.push_back(std::move(call.indexes));
    }
    return calls;
}

add_once_command::add_once_command(std::string_view script_hash, std::span<const outgoing> all,
                                   std::span<const std::size_t> indexes,
                                   const redis_settings& how) {
    const auto& stream = all[indexes.front()].destination;
    words_ = {"EVALSHA", script_hash, keep(std::to_string(indexes.size() + 1)), stream};
    for (const auto index : indexes) {
        // The braces put all keys into one slot of a cluster.
        words_.push_back(keep("{" + stream + "}:postrider:" + all[index].dedupe_id));
    }
    words_.push_back(keep(std::to_string(how.dedupe_for.count())));
    words_.push_back(keep(std::to_string(how.keep_for.count())));
    add_shapes(all, indexes);
}

void add_once_command::add_shapes(std::span<const outgoing> all,
                                  std::span<const std::size_t> indexes) {
    std::vector<const outgoing*> examples;  // a message per shape
    std::vector<std::string_view> messages;
    for (const auto index : indexes) {
        const auto& one = all[index];
        auto shape = std::ranges::find_if(
            examples, [&](const outgoing* other) { return same_names(*other, one); });
        if (shape == examples.end()) {
            shape = examples.insert(shape, &one);
        }
        messages.push_back(keep(std::to_string(shape - examples.begin() + 1)));
        for (const auto& [name, value] : one.headers) {
            messages.push_back(value);
        }
        messages.push_back(one.message->payload());
    }
    words_.push_back(keep(std::to_string(examples.size())));
    for (const auto* one : examples) {
        words_.push_back(keep(std::to_string(one->headers.size() + 1)));
        for (const auto& [name, value] : one->headers) {
            words_.push_back(name);
        }
        words_.emplace_back("data");
    }
    words_.insert(words_.end(), messages.begin(), messages.end());
}

}  // namespace postrider::relaying
