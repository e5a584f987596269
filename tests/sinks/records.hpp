#pragma once

#include <chrono>
#include <postrider/sinks.hpp>

namespace postrider::test {

using namespace std::chrono_literals;

inline const std::chrono::system_clock::time_point noon =
    std::chrono::sys_days{std::chrono::year{2030} / 5 / 17} + 12h + 34567us;

inline const trace_ids a_trace{"4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7",
                               "1111111111111111"};

inline publish_record a_publication() {
    return {.at = noon,
            .message_id = "01890a5d-ac96-774b-bcce-b302099a8057",
            .event_type = "order.placed",
            .source = "shop",
            .target = "billing",
            .workspace_id = "01890a5d-ac96-774b-bcce-b302099a8058",
            .channel = "outbox_default",
            .trace = &a_trace};
}

inline handle_record a_run(std::string_view outcome = "delivered") {
    return {.started_at = noon,
            .duration = 12345us,
            .message_id = "01890a5d-ac96-774b-bcce-b302099a8057",
            .event_type = "order.placed",
            .source = "shop",
            .consumer = "billing",
            .handler = "billing.send_invoice",
            .attempts = 2,
            .outcome = outcome,
            .trace = &a_trace};
}

inline handle_record a_failed_run(std::string_view error = "mail server did not answer") {
    auto run = a_run("transient");
    run.error = error;
    run.error_class = "timeout";
    return run;
}

}  // namespace postrider::test
