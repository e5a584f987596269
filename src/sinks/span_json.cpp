#include "sinks/span_json.hpp"

#include <chrono>
#include <postrider/version.hpp>

#include "sinks/record_text.hpp"

namespace postrider::sinks {
namespace {

// Numbers of the OpenTelemetry protocol.
constexpr int producer_kind = 4;
constexpr int consumer_kind = 5;
constexpr int status_error = 2;

class attributes {
  public:
    attributes& add(std::string_view key, std::string_view value) {
        json_object text;
        add_name(text, "stringValue", value);
        return add_value(key, text);
    }
    attributes& add(std::string_view key, std::optional<std::string_view> value) {
        return value ? add(key, *value) : *this;
    }
    attributes& add(std::string_view key, const char* value) {
        return add(key, std::string_view(value));
    }
    // 64-bit integers are texts in OTLP/JSON.
    attributes& add(std::string_view key, int value) {
        return add_value(key, json_object().add("intValue", std::to_string(value)));
    }
    std::string text() const { return items_.text(); }

  private:
    attributes& add_value(std::string_view key, const json_object& value) {
        items_.add_raw(json_object().add("key", key).add_raw("value", value.text()).text());
        return *this;
    }
    json_array items_;
};

std::string nanoseconds(std::chrono::system_clock::time_point at) {
    const auto since = at.time_since_epoch();
    return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

json_object begin_span(const trace_ids& trace, std::string_view name, int kind) {
    json_object span;
    span.add("traceId", trace.trace_id).add("spanId", trace.span_id);
    if (!trace.parent_span_id.empty()) {
        span.add("parentSpanId", trace.parent_span_id);
    }
    add_name(span, "name", name);
    span.add("kind", kind);
    return span;
}

template <typename Record>
attributes common_attributes(const Record& record, const char* operation, const char* type) {
    attributes all;
    all.add("messaging.system", "postrider")
        .add("messaging.operation.name", operation)
        .add("messaging.operation.type", type)
        .add("messaging.message.id", record.message_id)
        .add("postrider.event_type", record.event_type)
        .add("postrider.source", record.source)
        .add("postrider.target", record.target)
        .add("postrider.workspace_id", record.workspace_id);
    return all;
}

bool went_well(std::string_view outcome) { return outcome != "transient" && outcome != "terminal"; }

}  // namespace

std::string span_json(const publish_record& record) {
    auto all = common_attributes(record, "publish", "send");
    all.add("messaging.destination.name", record.channel);
    return begin_span(*record.trace, "publish " + std::string(record.event_type), producer_kind)
        .add("startTimeUnixNano", nanoseconds(record.at))
        .add("endTimeUnixNano", nanoseconds(record.at))
        .add_raw("attributes", all.text())
        .text();
}

std::string span_json(const handle_record& record) {
    auto all = common_attributes(record, "handle", "process");
    all.add("messaging.consumer.group.name", record.consumer)
        .add("postrider.handler", record.handler)
        .add("postrider.attempts", record.attempts)
        .add("postrider.outcome", record.outcome);
    const bool well = went_well(record.outcome);
    if (!well) {
        all.add("error.type", record.error_class);
    }
    auto span = begin_span(*record.trace, "handle " + std::string(record.event_type), consumer_kind)
                    .add("startTimeUnixNano", nanoseconds(record.started_at))
                    .add("endTimeUnixNano", nanoseconds(end_of(record)))
                    .add_raw("attributes", all.text());
    if (!well) {
        json_object status;
        status.add("code", status_error);
        add_error(status, "message", record.error);
        span.add_raw("status", status.text());
    }
    return span.text();
}

std::string resource_json(std::string_view service) {
    attributes all;
    const auto host = host_name();
    all.add("service.name", service).add("host.name", std::string_view(host));
    return json_object().add_raw("attributes", all.text()).text();
}

std::string spans_request(const std::string& resource, const std::vector<kept_span>& spans) {
    json_array list;
    for (const auto& span : spans) {
        list.add_raw(span.json());
    }
    const auto scope = json_object().add("name", "postrider").add("version", version()).text();
    const auto of_scope =
        json_object().add_raw("scope", scope).add_raw("spans", list.text()).text();
    const auto of_resource = json_object()
                                 .add_raw("resource", resource)
                                 .add_raw("scopeSpans", json_array().add_raw(of_scope).text())
                                 .text();
    return json_object().add_raw("resourceSpans", json_array().add_raw(of_resource).text()).text();
}

}  // namespace postrider::sinks
