#pragma once

#include <postrider/sink.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/kept_span.hpp"

namespace postrider::sinks {

/// A producer span of OTLP/JSON; the record must be traced.
std::string span_json(const publish_record& record);
/// A consumer span.
std::string span_json(const handle_record& record);

/// A whole request: spans and whose they are.
std::string spans_request(const std::string& resource, const std::vector<kept_span>& spans);
/// The resource attributes of this process.
std::string resource_json(std::string_view service);

}  // namespace postrider::sinks
