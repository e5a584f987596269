#include <iostream>
#include <postrider/sinks.hpp>

// Exits with 0 only when every ready-made sink was linked and does something.
int main() {
    const auto metrics = postrider::prometheus_sink({.listen = ""});
    const auto spans = postrider::otlp_sink({.endpoint = "http://127.0.0.1:1"});
    const auto log = postrider::json_lines_sink({.to = "stdout"});
    const auto all = postrider::fan_out(postrider::fan_out(metrics, spans), log);
    all->published({.message_id = "1", .event_type = "order.placed"});
    const bool counted =
        metrics->exposition().find("postrider_published_total 1") != std::string::npos;
    return counted && spans->counts().sent == 0 ? 0 : 1;
}
