#pragma once

#include <postrider/alert.hpp>

#include "base/json/json.hpp"
#include "sinks/http_post.hpp"

namespace postrider::sinks {

/// The members of an alert that all targets get, in the same order; null for a missing value.
void add_alert(json_object& to, const alert& record);

/// Converts the answer of an HTTP server.
alert_answer as_alert_answer(const http_answer& answer);

}  // namespace postrider::sinks
