#include "sinks/kept_span.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "sinks/record_text.hpp"
#include "sinks/span_json.hpp"

namespace postrider::sinks {
namespace {

// An error may be of any length; this much is sent, and a character more to see that it was cut.
constexpr std::size_t error_kept_max = error_bytes_max + 4;

std::string_view* view(std::string_view& text) { return &text; }
std::string_view* view(std::optional<std::string_view>& text) { return text ? &*text : nullptr; }

// Copies the texts one behind the other and lets each view point to its copy.
template <typename... Texts>
std::unique_ptr<char[]> keep(Texts&... texts) {
    const std::array<std::string_view*, sizeof...(texts)> views{view(texts)...};
    std::size_t size = 0;
    for (const auto* one : views) {
        size += one != nullptr ? one->size() : 0;
    }
    std::unique_ptr<char[]> memory(new char[size]);
    auto* end = memory.get();
    for (auto* one : views) {
        if (one != nullptr) {
            auto* const begin = end;
            end = std::ranges::copy(*one, begin).out;
            *one = {begin, end};
        }
    }
    return memory;
}

}  // namespace

kept_span::kept_span(const publish_record& record) : trace_(*record.trace), record_(record) {
    auto& ours = std::get<publish_record>(record_);
    memory_ = keep(ours.message_id, ours.event_type, ours.source, ours.target, ours.workspace_id,
                   ours.channel);
}

kept_span::kept_span(const handle_record& record) : trace_(*record.trace), record_(record) {
    auto& ours = std::get<handle_record>(record_);
    ours.error = ours.error.substr(0, error_kept_max);
    memory_ = keep(ours.message_id, ours.event_type, ours.source, ours.target, ours.workspace_id,
                   ours.consumer, ours.handler, ours.outcome, ours.error, ours.error_class);
}

std::string kept_span::json() const {
    return std::visit(
        [this](auto record) {
            record.trace = &trace_;
            return span_json(record);
        },
        record_);
}

}  // namespace postrider::sinks
