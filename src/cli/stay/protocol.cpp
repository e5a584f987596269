#include "cli/stay/protocol.hpp"

#include <algorithm>
#include <charconv>

#include "base/json/check_json.hpp"
#include "base/json/json.hpp"
#include "base/json/json_members.hpp"
#include "client/classify.hpp"
#include "store/messages/encode.hpp"

namespace postrider::cli {
namespace {

constexpr int concurrency_max = 10'000;

std::string quoted_start(std::string_view line) {
    constexpr std::size_t shown = 80;
    return "\"" + std::string(line.substr(0, shown)) + (line.size() > shown ? "…\"" : "\"");
}

/// The members of an object of the protocol, by name.
class members {
  public:
    explicit members(std::string_view object) : all_(json_members(object)) {}

    std::optional<std::string_view> find(std::string_view name) const {
        const auto found = std::ranges::find(all_, name, &json_member::name);
        return found == all_.end() || found->value == "null" ? std::nullopt
                                                             : std::optional(found->value);
    }
    std::optional<std::string> text(std::string_view name) const {
        const auto value = find(name);
        if (value && !value->starts_with('"')) {
            throw protocol_error(std::string(name) + " must be a string");
        }
        return value ? std::optional(json_unquoted(*value)) : std::nullopt;
    }
    std::optional<std::uint64_t> number(std::string_view name) const {
        const auto value = find(name);
        if (!value) {
            return std::nullopt;
        }
        std::uint64_t read = 0;
        const auto* end = value->data() + value->size();
        const auto [stopped, problem] = std::from_chars(value->data(), end, read);
        if (problem != std::errc() || stopped != end) {
            throw protocol_error(std::string(name) + " must be a whole number from 0, got " +
                                 std::string(value->substr(0, 40)));
        }
        return read;
    }
    std::uint64_t required_number(std::string_view name) const {
        const auto value = number(name);
        if (!value) {
            throw protocol_error(std::string(name) + " is missing");
        }
        return *value;
    }

  private:
    std::vector<json_member> all_;
};

outcome_kind kind_of(const std::optional<std::string>& word) {
    constexpr outcome_kind kinds[] = {outcome_kind::delivered, outcome_kind::transient,
                                      outcome_kind::terminal, outcome_kind::snooze,
                                      outcome_kind::interrupted};
    for (const auto one : kinds) {
        if (word == to_string(one)) {
            return one;
        }
    }
    throw protocol_error(
        "outcome must be delivered, transient, terminal, snooze or interrupted, got " +
        quoted_start(word.value_or("")));
}

child_outcome read_outcome(const members& from) {
    child_outcome read{.run = from.required_number("run")};
    auto& how = read.how;
    how.kind = kind_of(from.text("outcome"));
    if (how.kind == outcome_kind::delivered) {
        if (const auto result = from.find("result")) {
            // Only this run is affected: the line itself is valid.
            if (result->size() > child_result_max) {
                how = transient("broke the child protocol: result must have at most " +
                                    std::to_string(child_result_max) + " bytes, got " +
                                    std::to_string(result->size()),
                                "protocol_error");
                return read;
            }
            read.result = *result;
        }
        return read;
    }
    if (const auto delay = from.number("delay_ms")) {
        constexpr std::uint64_t delay_max = 1'000'000'000'000;
        how.delay = std::chrono::milliseconds(std::min(*delay, delay_max));
    }
    if (how.kind == outcome_kind::snooze && !how.delay) {
        throw protocol_error("the outcome snooze needs delay_ms");
    }
    if (how.kind == outcome_kind::transient || how.kind == outcome_kind::terminal) {
        how.error = from.text("error").value_or("");
        how.error_class = from.text("error_class").value_or(std::string(to_string(how.kind)));
        // A line may have a megabyte, and every log would repeat it.
        how = client::reportable(std::move(how));
    }
    return read;
}

child_progress read_progress(const members& from) {
    child_progress read{.run = from.required_number("run")};
    const auto value = from.find("fraction").value_or("");
    const auto* end = value.data() + value.size();
    const auto [stopped, problem] = std::from_chars(value.data(), end, read.fraction);
    if (problem != std::errc() || stopped != end || !(read.fraction >= 0 && read.fraction <= 1)) {
        throw protocol_error("fraction must be a number from 0 to 1, got " + quoted_start(value));
    }
    read.text = from.text("text").value_or("");
    return read;
}

child_hello read_hello(const members& from) {
    if (const auto spoken = from.required_number("protocol"); spoken != child_protocol) {
        throw protocol_error("the child speaks protocol " + std::to_string(spoken) +
                             ", this worker speaks " + std::to_string(child_protocol));
    }
    const auto limited = [&](const char* name, std::uint64_t least, std::uint64_t otherwise) {
        const auto value = from.number(name).value_or(otherwise);
        if (value < least || value > concurrency_max) {
            throw protocol_error(std::string(name) + " must be between " + std::to_string(least) +
                                 " and " + std::to_string(concurrency_max) + ", got " +
                                 std::to_string(value));
        }
        return static_cast<int>(value);
    };
    return {.concurrency = limited("concurrency", 1, 1), .batch = limited("batch", 0, 0)};
}

// In a document a line feed is white space: strings have it as an escape.
void add_document(json_object& to, std::string_view name, std::string_view document) {
    if (document.find_first_of("\r\n") == std::string_view::npos) {
        to.add_raw(name, document);
        return;
    }
    std::string line(document);
    std::ranges::replace_if(
        line, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    to.add_raw(name, line);
}

}  // namespace

child_line read_child_line(std::string_view line) {
    const auto found = check_json(line);
    if (found.problem != nullptr || !found.object) {
        throw protocol_error("not a JSON object: " + quoted_start(line));
    }
    const members all(line);
    const auto type = all.text("type").value_or("");
    child_line read;
    if (type == "outcome") {
        read.outcomes.push_back(read_outcome(all));
    } else if (type == "outcomes") {
        const auto list = all.find("outcomes").value_or("");
        if (!list.starts_with('[')) {
            throw protocol_error("outcomes must be an array");
        }
        for (const auto item : json_items(list)) {
            if (!item.starts_with('{')) {
                throw protocol_error("outcomes must contain objects");
            }
            read.outcomes.push_back(read_outcome(members(item)));
        }
    } else if (type == "extend") {
        read.extended = all.required_number("run");
    } else if (type == "progress") {
        read.progress = read_progress(all);
    } else if (type == "hello") {
        read.hello = read_hello(all);
    } else {
        throw protocol_error("unknown type in " + quoted_start(line));
    }
    return read;
}

std::string hello_line(const worker_hello& hello) {
    return json_object()
               .add("type", "hello")
               .add("protocol", child_protocol)
               .add("consumer", hello.consumer)
               .add("handler", hello.handler)
               .add("child", hello.child)
               .add("in_flight_max", hello.in_flight_max)
               .add("timeout_ms", hello.timeout.count())
               .add("line_bytes_max", child_line_max)
               .text() +
           "\n";
}

std::string message_text(const event& message, const postrider::context& run) {
    json_object text;
    text.add("message_id", message.id())
        .add("event_type", message.event_type())
        .add("event_version", message.event_version())
        .add("occurred_at", store::timestamp_text(message.occurred_at()))
        .add("source", message.source())
        .add("target", message.target())
        .add("workspace_id", message.workspace_id())
        .add("idempotency_key", message.idempotency_key())
        .add("ordering_key", message.ordering_key())
        .add("partition_key", message.partition_key())
        .add("content_class", message.content_class())
        .add("generation", message.generation())
        .add("trace_context", message.trace_context())
        .add("attempts", run.attempts())
        .add("cycle", run.cycle())
        .add("run_key", run.run_key(message));
    if (const auto headers = message.headers()) {
        add_document(text, "headers", *headers);
    }
    add_document(text, "payload", message.payload());
    return text.text();
}

std::string with_run(std::uint64_t run, std::string_view message) {
    return R"({"run":)" + std::to_string(run) + "," + std::string(message.substr(1));
}

std::string messages_line(std::string_view objects) {
    std::string line = R"({"type":"messages","messages":[)";
    line += objects;
    line += "]}\n";
    return line;
}

std::string stop_line() { return "{\"type\":\"stop\"}\n"; }

std::string cancel_line(std::uint64_t run) {
    return json_object().add("type", "cancel").add("run", run).text() + "\n";
}

}  // namespace postrider::cli
