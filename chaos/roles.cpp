#include "chaos/roles.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::chaos {
namespace {

// Where the value of a member begins; jsonb and json differ in their blanks.
std::string_view value_of(std::string_view payload, std::string_view name) {
    const auto quoted = "\"" + std::string(name) + "\"";
    const auto at = payload.find(quoted);
    if (at == std::string_view::npos) {
        return {};
    }
    payload.remove_prefix(at + quoted.size());
    payload.remove_prefix(std::min(payload.find_first_not_of(": "), payload.size()));
    return payload;
}

}  // namespace

const std::vector<role>& roles() {
    static const std::vector<role> all{
        {.consumer = "office", .name = "office.plain", .types = {"plain.*"}},
        {.consumer = "office", .name = "office.book", .types = {"book.*"}, .transactional = true},
        {.consumer = "office", .name = "office.batch", .types = {"batch.*"}, .batch = true},
        {.consumer = "office", .name = "office.flaky", .types = {"flaky.*"}, .max_attempts = 3},
        {.consumer = "office",
         .name = "office.hang",
         .types = {"hang.*"},
         .max_attempts = 20,
         .max_crashes = 20},
        {.consumer = "office",
         .name = "office.poison",
         .types = {"poison.*"},
         .deadly = true,
         .max_crashes = 2},
        {.consumer = "archive", .name = "archive.all", .types = {"plain.*", "book.*"}},
        {.consumer = "audit",
         .name = "audit.book",
         .types = {"book.*"},
         .takes = std::chrono::milliseconds(50)},
        {.consumer = std::string(ordered_consumer),
         .name = "ledger.book",
         .types = {std::string(keyed_types)},
         .ordered = true},
    };
    return all;
}

const std::vector<role>& branch_roles() {
    const std::string consumer(branch_consumer);
    static const std::vector<role> all{
        {.consumer = consumer, .name = "branch.plain", .types = {"plain.*"}, .behind_broker = true},
        {.consumer = consumer,
         .name = "branch.book",
         .types = {"book.*"},
         .transactional = true,
         .behind_broker = true},
        {.consumer = consumer,
         .name = "branch.flaky",
         .types = {"flaky.*"},
         .max_attempts = 3,
         .behind_broker = true},
    };
    return all;
}

record to_record(const role& one, const std::string& channel) {
    std::string types;
    for (const auto& type : one.types) {
        types += (types.empty() ? "" : ",") + type;
    }
    record made{.kind = "role"};
    made.add("consumer", one.consumer).add("handler", one.name).add("types", types);
    made.add("channel", channel).add("transactional", one.transactional ? 1 : 0);
    made.add("deadly", one.deadly ? 1 : 0).add("max_attempts", one.max_attempts);
    made.add("max_crashes", one.max_crashes).add("behind_broker", one.behind_broker ? 1 : 0);
    made.add("ordered", one.ordered ? 1 : 0);
    return made;
}

std::string channel_of(std::int64_t generation) {
    return "outbox_gen_" + std::to_string(generation);
}

std::int64_t number_in(std::string_view payload, std::string_view name) {
    const auto value = value_of(payload, name);
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

std::string text_in(std::string_view payload, std::string_view name) {
    auto value = value_of(payload, name);
    if (!value.starts_with('"')) {
        return {};
    }
    value.remove_prefix(1);
    return std::string(value.substr(0, value.find('"')));
}

}  // namespace postrider::chaos
