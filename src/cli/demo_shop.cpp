#include "cli/demo_shop.hpp"

#include <fmt/core.h>

#include <postrider/publish.hpp>

namespace postrider::cli::demo {

void shop::sell() {
    const auto customer = dice_() % 1000;
    const auto order = fmt::format(R"({{"order": {}, "customer": {}, "total": "{}.{:02} EUR"}})",
                                   ++order_, customer, 5 + dice_() % 200, dice_() % 100);
    const auto mail =
        fmt::format(R"({{"to": "customer-{}@example.com", "template": "thanks"}})", customer);
    // A real shop would insert its order here too: what it says and what it stores commit as one.
    transaction sale(session_);
    publish(sale, {.event_type = "order.placed", .payload = order, .source = "shop"});
    publish(sale, {.event_type = "payment.captured", .payload = order, .source = "shop"});
    publish(sale, {.event_type = "mail.requested", .payload = mail, .source = "shop"});
    sale.commit();
    counts_.published += 3;
}

}  // namespace postrider::cli::demo
