#include "client/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/encoding/hex.hpp"

namespace postrider::client {
namespace {

// version "-" trace id "-" parent span id "-" flags
constexpr std::size_t length = 55;

thread_local const std::string* current_trace = nullptr;

bool is_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '0'; });
}

std::string random_span_id() {
    static thread_local std::mt19937_64 random{std::random_device{}()};
    return hex(random() | 1U);  // all zero would mean: none
}

}  // namespace

std::optional<trace_ids> continue_trace(std::string_view traceparent) {
    // A later version may append fields, and may not change these.
    if (traceparent.size() < length ||
        (traceparent.size() > length && traceparent[length] != '-') || traceparent[2] != '-' ||
        traceparent[35] != '-' || traceparent[52] != '-' || traceparent.starts_with("ff")) {
        return std::nullopt;
    }
    const auto trace_id = traceparent.substr(3, 32);
    const auto parent = traceparent.substr(36, 16);
    if (!is_hex(traceparent.substr(0, 2)) || !is_hex(trace_id) || !is_hex(parent) ||
        !is_hex(traceparent.substr(53, 2)) || is_zero(trace_id) || is_zero(parent)) {
        return std::nullopt;
    }
    // The lowest bit of the flags, so the digits 1, 3, … f of the last place.
    const char flags = traceparent[54];
    const bool sampled = ((flags <= '9' ? flags - '0' : flags - 'a' + 10) & 1) != 0;
    return trace_ids{std::string(trace_id), random_span_id(), std::string(parent), sampled};
}

std::string traceparent(const trace_ids& of) {
    return "00-" + of.trace_id + "-" + of.span_id + (of.sampled ? "-01" : "-00");
}

trace_scope::trace_scope(const std::string* traceparent) noexcept : before_(current_trace) {
    current_trace = traceparent;
}

trace_scope::~trace_scope() { current_trace = before_; }

const std::string* current_traceparent() noexcept { return current_trace; }

}  // namespace postrider::client
