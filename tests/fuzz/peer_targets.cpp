// Parsers of bytes from browsers, from child processes and from producers of a broker.
#include <algorithm>
#include <string>

#include "base/encoding/utf8.hpp"
#include "base/json/check_json.hpp"
#include "cli/stay/protocol.hpp"
#include "client/received_event.hpp"
#include "fuzz/require.hpp"
#include "fuzz/targets.hpp"
#include "serve/auth/session.hpp"
#include "worker/sources/received_batch.hpp"

namespace postrider::test {

// A request of a browser: its cookies in the first line, the key of its session in the second.
void try_session(std::string_view bytes) {
    static const serve::browser_sessions sessions(true, 443);
    static const auto begun = sessions.begin("prt_token");
    const auto cut = std::min(bytes.find('\n'), bytes.size());
    const auto cookies = bytes.substr(0, cut);
    const auto key = bytes.substr(std::min(cut + 1, bytes.size()));
    require(!sessions.open(cookies, key), "a session cannot be guessed");
    require(!sessions.open(cookies, begun.key), "a cookie cannot be forged");
    const auto own = begun.set_cookie.substr(0, begun.set_cookie.find(';'));
    require(key == begun.key || !sessions.open(own, key), "a key cannot be forged");
    const auto opened = sessions.open(own + "; " + std::string(cookies), begun.key);
    require(opened && opened->token == "prt_token", "cookies of others do not end a session");
}

void try_child_line(std::string_view bytes) {
    try {
        const auto read = cli::read_child_line(bytes);
        require(read.hello.has_value() + !read.outcomes.empty() + read.extended.has_value() <= 1,
                "a line says one thing");
        for (const auto& one : read.outcomes) {
            for (const auto& text : {one.how.error, one.how.error_class}) {
                require(usable_utf8(text) == text.size() && text.size() <= 8192,
                        "a text of an outcome is text, and not long");
            }
        }
    } catch (const cli::protocol_error& problem) {
        require(std::string_view(problem.what()).size() < 300, "a refusal is short");
    }
}

// A message of a broker: its content type in the first line, the value of every other header in the
// second, then the body.
void try_received(std::string_view bytes) {
    const auto line = [&bytes] {
        const auto cut = std::min(bytes.find('\n'), bytes.size());
        const std::string found(bytes.substr(0, cut));
        bytes.remove_prefix(std::min(cut + 1, bytes.size()));
        return found;
    };
    const auto type = line();
    const auto value = line();
    for (const auto how : {client::binding::http, client::binding::kafka}) {
        auto made = client::read_event(
            {}, [&](const std::string& name) { return name == "content-type" ? type : value; },
            std::string(bytes), how);
        working::fit(made);
        require(check_json(made.payload).problem == nullptr, "a payload is JSON");
        require(!made.headers || check_json(*made.headers).object, "headers are an object");
        for (const auto* text : {&made.id, &made.event_type, &made.source}) {
            require(usable_utf8(*text) == text->size() && text->size() <= 255,
                    "a text of the envelope is text, and fits");
        }
        require(made.cycle >= 1, "a cycle is a number");
    }
}

}  // namespace postrider::test
