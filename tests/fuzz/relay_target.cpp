// Addresses of relays, and messages that are written into them.
#include <algorithm>
#include <postrider/relay.hpp>
#include <string>

#include "fuzz/require.hpp"
#include "fuzz/targets.hpp"
#include "relay/cloud_event.hpp"
#include "relay/destination.hpp"
#include "relay/relay_url.hpp"

namespace postrider::test {
namespace {

bool is_printable(char c) { return c > ' ' && c < 0x7f; }

}  // namespace

// The first line is the address with its template, the rest is a value of the envelope.
void try_relay(std::string_view bytes) {
    const auto cut = std::min(bytes.find('\n'), bytes.size());
    const auto text = bytes.substr(0, cut);
    event_fields fields;
    fields.event_type = "a";
    fields.source = bytes.substr(std::min(cut + 1, bytes.size()));
    fields.ordering_key = fields.source;
    fields.headers = fields.source;
    const event message(fields);
    for (const auto& [name, value] :
         relaying::cloud_event_headers(message, relaying::binding::http)) {
        require(std::ranges::all_of(value, is_printable), "a header has one line");
    }
    allow_refusal([&] {
        const auto read = relaying::parse_relay_url(text);
        relaying::host_of(read, 1);
        relay_has_credentials(text);
    });
    allow_refusal([&] {
        std::string problem;
        const relaying::destination place(text, relaying::destination::encoding::url);
        const auto made = place.of(message, problem);
        require(made || !problem.empty(), "a refusal says why");
        // A value changes neither the constant prefix nor adds unprintable characters.
        const auto fixed = place.beginning();
        require(!made || made->starts_with(fixed), "a value does not change the beginning");
        require(!made || std::ranges::all_of(text, is_printable) == false ||
                    std::ranges::all_of(*made, is_printable),
                "a value does not end a line");
    });
}

}  // namespace postrider::test
