#pragma once

#include <postrider/alert.hpp>

#include "base/json.hpp"
#include "sinks/http_post.hpp"

namespace postrider::sinks {

/// The members an alert has for everybody, in the same order; null where it has none.
void add_alert(json_object& to, const alert& what);

/// What a server's answer means for the one who asked.
alert_answer as_alert_answer(const http_answer& answer);

}  // namespace postrider::sinks
