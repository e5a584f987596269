#include "relay/cloud_event.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>

#include "base/encoding/hex.hpp"
#include "client/trace.hpp"

namespace postrider::relaying {
namespace {

std::string rfc3339(std::chrono::system_clock::time_point when) {
    using std::chrono::microseconds;
    const auto second = std::chrono::floor<std::chrono::seconds>(when);
    const auto rest = std::chrono::duration_cast<microseconds>(when - second).count();
    const auto count = std::chrono::system_clock::to_time_t(second);
    std::tm parts{};
    ::gmtime_r(&count, &parts);
    char text[80];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(rest));
    return text;
}

// CloudEvents, HTTP protocol binding, 3.1.3.2: printable ASCII without blank, quote and percent.
bool is_plain(char one) {
    const auto byte = static_cast<unsigned char>(one);
    return byte > 0x20 && byte < 0x7f && one != '"' && one != '%';
}

std::string header_value(std::string_view text) {
    if (std::ranges::all_of(text, is_plain)) {
        return std::string(text);
    }
    std::string made;
    for (const char one : text) {
        if (is_plain(one)) {
            made += one;
        } else {
            const auto byte = static_cast<unsigned char>(one);
            made += '%';
            made += static_cast<char>(std::toupper(hex_digits[byte >> 4U]));
            made += static_cast<char>(std::toupper(hex_digits[byte & 15U]));
        }
    }
    return made;
}

class header_list {
  public:
    explicit header_list(binding how) : how_(how) { all_.reserve(usual_number); }
    void add_plain(std::string name, std::string_view value) {
        all_.emplace_back(std::move(name),
                          how_ == binding::http ? header_value(value) : std::string(value));
    }
    void add(std::string_view attribute, std::string_view value) {
        add_plain((how_ == binding::http ? "ce-" : "ce_") + std::string(attribute), value);
    }
    template <typename Text>
    void add(std::string_view attribute, const std::optional<Text>& value) {
        if (value && !value->empty()) {
            add(attribute, std::string_view(*value));
        }
    }
    std::vector<header> take() { return std::move(all_); }

  private:
    static constexpr std::size_t usual_number = 12;
    binding how_;
    std::vector<header> all_;
};

}  // namespace

std::vector<header> cloud_event_headers(const event& event, binding how) {
    header_list all(how);
    all.add_plain("content-type", "application/json");
    all.add("specversion", "1.0");
    all.add("id", event.id());
    all.add("type", event.event_type());
    // The attribute is required and must not be empty.
    all.add("source", event.source().empty() ? "postrider" : event.source());
    all.add("time", rfc3339(event.occurred_at()));
    all.add("eventversion", std::to_string(event.event_version()));
    all.add("idempotencykey", event.idempotency_key());
    all.add("orderingkey", event.ordering_key());
    all.add("partitionkey", event.partition_key());
    all.add("workspaceid", event.workspace_id());
    all.add("cycle", std::to_string(event.cycle()));
    if (const auto trace = event.trace_context(); trace && client::continue_trace(*trace)) {
        all.add_plain("traceparent", *trace);
    }
    if (const auto headers = event.headers(); headers && *headers != "{}") {
        all.add_plain("postrider-headers", *headers);
    }
    return all.take();
}

std::string dedupe_id(const event& event) {
    return event.id() + "/" + std::to_string(event.cycle());
}

}  // namespace postrider::relaying
