#include "fuzz/targets.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <postrider/error.hpp>

#include "base/utf8.hpp"
#include "base/uuid.hpp"
#include "chaos/record.hpp"
#include "cli/json_members.hpp"
#include "cli/message_line.hpp"
#include "cli/retry_option.hpp"
#include "cli/terminal_text.hpp"
#include "cli/times.hpp"
#include "client/check_json.hpp"
#include "client/check_message.hpp"
#include "client/trace.hpp"
#include "migrate/sql_file.hpp"
#include "pg/conninfo.hpp"
#include "serve/secret.hpp"
#include "store/claim.hpp"
#include "store/record.hpp"

namespace postrider::test {
namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}

/// What a parser may throw for bytes it does not want; anything else ends the process.
template <typename Call>
void allow_refusal(Call&& call) {
    try {
        call();
    } catch (const error&) {
        // Told what to do: that is the other good end.
    }
}

void try_json(std::string_view bytes) {
    const auto found = client::check_json(bytes);
    require(found.at <= bytes.size(), "a problem lies within the text");
    if (found.problem != nullptr || !found.object) {
        return;
    }
    for (const auto& [name, value] : cli::json_members(bytes)) {
        require(value.data() >= bytes.data() &&
                    value.data() + value.size() <= bytes.data() + bytes.size(),
                "a value is a piece of the text");
        require(client::check_json(value).problem == nullptr, "a value is JSON itself");
        if (value.starts_with('"')) {
            const auto plain = cli::json_unquoted(value);
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
        require(client::check_json(to_json(policy)).object, "a policy is a JSON object");
        for (const int attempt : {1, 2, 10, 1000}) {
            require(delay(policy, attempt, 0.5).count() >= 0, "a wait is not negative");
        }
    });
}

void try_times(std::string_view bytes) {
    allow_refusal([&] { cli::parse_duration(bytes, "fuzz"); });
    allow_refusal([&] { cli::parse_instant(bytes, "fuzz"); });
}

// Whatever a handler or a producer said, a terminal shows it and does not obey it.
void try_terminal(std::string_view bytes) {
    for (const auto& shown : {cli::printable(bytes), cli::shortened(bytes, 20)}) {
        require(usable_utf8(shown) == shown.size(), "what is shown is text");
        require(std::ranges::none_of(shown,
                                     [](char c) {
                                         const auto byte = static_cast<unsigned char>(c);
                                         return byte < ' ' || byte == 0x7f;
                                     }),
                "what is shown controls nothing");
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

// What a client hands back as the place where the next page begins.
void try_cursor(std::string_view bytes) {
    require(serve::from_base64url(serve::base64url(bytes)) == bytes, "bytes are read back");
    allow_refusal([&] {
        require(serve::base64url(serve::from_base64url(bytes)) == bytes, "there is one spelling");
    });
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
    };
    return all;
}

}  // namespace postrider::test
