#include "fuzz/targets.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <postrider/error.hpp>

#include "base/encoding/utf8.hpp"
#include "base/encoding/uuid.hpp"
#include "base/json/check_json.hpp"
#include "base/json/json_members.hpp"
#include "chaos/record/record.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/output/times.hpp"
#include "cli/publish/message_line.hpp"
#include "cli/work/retry_option.hpp"
#include "client/publish/check_message.hpp"
#include "client/trace.hpp"
#include "fuzz/require.hpp"
#include "migrate/sql_file.hpp"
#include "pg/conninfo.hpp"
#include "serve/auth/secret.hpp"
#include "serve/http/request_head.hpp"
#include "store/reads/record.hpp"
#include "store/work/exchange.hpp"

namespace postrider::test {
namespace {

void try_json(std::string_view bytes) {
    const auto found = check_json(bytes);
    require(found.at <= bytes.size(), "a problem lies within the text");
    if (found.problem != nullptr || !found.object) {
        return;
    }
    for (const auto& [name, value] : json_members(bytes)) {
        require(value.data() >= bytes.data() &&
                    value.data() + value.size() <= bytes.data() + bytes.size(),
                "a value is a piece of the text");
        require(check_json(value).problem == nullptr, "a value is JSON itself");
        if (value.starts_with('"')) {
            const auto plain = json_unquoted(value);
            require(usable_utf8(plain) == plain.size(), "a string is text");
        }
    }
}

void try_message_line(std::string_view bytes) {
    allow_refusal([&] {
        const auto made = cli::message_from_line(bytes, {});
        client::check_message(made, "fuzz");
    });
}

void try_uuid(std::string_view bytes) {
    allow_refusal([&] {
        const auto made = uuid::parse(bytes);
        require(uuid::parse(made.text()) == made, "a UUID is read back");
    });
    allow_refusal([&] { uuid::from_bytes(bytes).text(); });
}

void try_trace(std::string_view bytes) {
    if (const auto made = client::continue_trace(bytes)) {
        const auto again = client::continue_trace(client::traceparent(*made));
        require(
            again && again->trace_id == made->trace_id && again->parent_span_id == made->span_id,
            "a trace goes on");
    }
}

void try_conninfo(std::string_view bytes) {
    const std::string text(bytes);
    allow_refusal([&] {
        pg::check_conninfo(text);
        pg::has_password(text);
        pg::as_environment(text);
        pg::describe_conninfo(text);
    });
}

void try_record(std::string_view bytes) {
    allow_refusal([&] {
        store::record_reader fields(bytes);
        for (int i = 0; i < fields.fields(); ++i) {
            fields.next();
        }
        require(fields.rest().size() <= bytes.size(), "no field is longer than the record");
    });
    allow_refusal([&] {
        const store::claimed_message message{store::record_reader(bytes)};
        message.id();
        message.event_version();
        message.occurred_at();
        message.workspace_id();
        message.idempotency_key();
        message.generation();
    });
}

void try_statements(std::string_view bytes) {
    const char* last = bytes.data();
    for (const auto statement : migrate::split_statements(bytes)) {
        require(!statement.empty() && statement.data() >= last &&
                    statement.data() + statement.size() <= bytes.data() + bytes.size(),
                "statements are pieces of the script, in order");
        last = statement.data() + statement.size();
    }
    allow_refusal(
        [&] { migrate::parse_sql_file({.path = "functions/x.sql", .sha256 = "", .text = bytes}); });
}

void try_retry(std::string_view bytes) {
    allow_refusal([&] {
        const auto policy = cli::parse_retry(bytes);
        require(check_json(to_json(policy)).object, "a policy is a JSON object");
        for (const int attempt : {1, 2, 10, 1000}) {
            require(delay(policy, attempt, 0.5).count() >= 0, "a wait is not negative");
        }
    });
}

void try_times(std::string_view bytes) {
    allow_refusal([&] { cli::parse_duration(bytes, "fuzz"); });
    allow_refusal([&] { cli::parse_instant(bytes, "fuzz"); });
}

// Text of handlers and producers must not control the terminal.
void try_terminal(std::string_view bytes) {
    for (const auto& shown : {cli::printable(bytes), cli::shortened(bytes, 20)}) {
        require(usable_utf8(shown) == shown.size(), "the output is UTF-8");
        require(std::ranges::none_of(shown,
                                     [](char c) {
                                         const auto byte = static_cast<unsigned char>(c);
                                         return byte < ' ' || byte == 0x7f;
                                     }),
                "the output has no control characters");
    }
    require(cli::width_of(cli::shortened(bytes, 20)) <= 20, "short is short");
    cli::printable_lines(bytes, "  ");
    cli::printable_json(bytes);
    cli::time_text(bytes);
}

void try_utf8(std::string_view bytes) {
    constexpr std::size_t most = 64;
    const auto repaired = repaired_utf8(bytes, most);
    require(repaired.size() <= most && usable_utf8(repaired) == repaired.size(),
            "repaired text is text, and no longer than asked for");
    if (usable_utf8(bytes) == bytes.size() && bytes.size() <= most) {
        require(repaired == bytes, "good text is left alone");
    }
}

// The cursor of the next page, as a client sends it.
void try_cursor(std::string_view bytes) {
    require(serve::from_base64url(serve::base64url(bytes)) == bytes, "bytes are read back");
    allow_refusal([&] {
        require(serve::base64url(serve::from_base64url(bytes)) == bytes, "there is one spelling");
    });
}

int depth_of(const nlohmann::json& value) {
    int deepest = 0;
    if (value.is_structured()) {
        for (const auto& one : value) {
            deepest = std::max(deepest, depth_of(one));
        }
        ++deepest;
    }
    return deepest;
}

// Accepted documents can be parsed and written by recursive code.
void try_deep(std::string_view bytes) {
    const auto found = check_json(bytes);
    require(found.at <= bytes.size(), "a problem lies within the text");
    if (found.problem != nullptr) {
        return;
    }
    const auto parsed = nlohmann::json::parse(bytes, nullptr, false);
    if (!parsed.is_discarded()) {
        require(depth_of(parsed) <= static_cast<int>(json_depth_max), "nesting has a limit");
        parsed.dump();
    }
}

void check_accepted_head(const serve::request_head& made) {
    const std::string_view text = made.text;
    require(text.ends_with("\r\n\r\n") && text.find("\r\n\r\n") == text.size() - 4,
            "a head has one end");
    require(serve::find_head_end(text).size == text.size(), "a head is found again");
    int lengths = 0;
    for (auto line = text.substr(text.find("\r\n") + 2); line.size() > 2;
         line.remove_prefix(line.find("\r\n") + 2)) {
        std::string name(line.substr(0, line.find(':')));
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        require(name.find_first_of(" \t") == std::string::npos, "no line is folded");
        require(name != "range" && name != "transfer-encoding", "neither ranges nor chunks");
        lengths += name == "content-length" ? 1 : 0;
    }
    require(lengths <= 1 && (lengths == 1 || made.content_length == 0), "a body has one length");
}

// A head that is accepted means the same to every parser, and parsing it again changes nothing.
void try_head(std::string_view bytes) {
    const auto progress = serve::find_head_end(bytes);
    for (std::size_t from = 0; from < bytes.size(); from += 7) {
        const auto again = serve::find_head_end(bytes, from);
        require(again.state != serve::head_progress::complete ||
                    progress.state != serve::head_progress::incomplete,
                "the end is where it is");
    }
    if (progress.state != serve::head_progress::complete) {
        return;
    }
    require(progress.size <= bytes.size(), "a head ends within the bytes");
    const auto made = serve::parse_head(bytes.substr(0, progress.size));
    if (made.status != 0) {
        require(made.status >= 400 && !made.detail.empty(), "a refusal says why");
        return;
    }
    check_accepted_head(made);
    const auto again = serve::parse_head(made.text);
    require(
        again.status == 0 && again.text == made.text && again.content_length == made.content_length,
        "an accepted head is accepted again");
}

void try_history(std::string_view bytes) {
    try {
        const auto made = chaos::parse_line(bytes);
        const auto line = chaos::to_line(made);
        const auto again = chaos::parse_line(std::string_view(line).substr(0, line.size() - 1));
        require(again.fields == made.fields && again.kind == made.kind, "a line is read back");
    } catch (const std::runtime_error&) {
        // Not a line of a history.
    }
}

}  // namespace

const std::vector<fuzz_target>& fuzz_targets() {
    static const std::vector<fuzz_target> all{
        {"json", try_json},
        {"message_line", try_message_line},
        {"uuid", try_uuid},
        {"trace", try_trace},
        {"conninfo", try_conninfo},
        {"record", try_record},
        {"statements", try_statements},
        {"retry", try_retry},
        {"times", try_times},
        {"terminal", try_terminal},
        {"utf8", try_utf8},
        {"history", try_history},
        {"cursor", try_cursor},
        {"deep", try_deep},
        {"head", try_head},
        {"session", try_session},
        {"child_line", try_child_line},
        {"received", try_received},
#ifdef POSTRIDER_FUZZ_RELAY
        {"relay", try_relay},
#endif
    };
    return all;
}

}  // namespace postrider::test
