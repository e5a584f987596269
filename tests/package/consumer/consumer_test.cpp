#include <postrider/testing.hpp>

// Exits with 0 only when a handler runs as documented, with no server anywhere.
int main() {
    const auto handler = [](const postrider::event& e) {
        if (e.event_type() != "order.placed") {
            throw postrider::terminal_error("not mine");
        }
    };
    postrider::testing::expect_delivered(
        postrider::testing::run(handler, {.event_type = "order.placed"}));
    postrider::testing::expect_terminal(
        postrider::testing::run(handler, {.event_type = "order.paid"}),
        "postrider::terminal_error");
}
