#include "cli/demo/demo_shop.hpp"

#include <fmt/core.h>

#include <postrider/publish.hpp>

namespace postrider::cli::demo {
namespace {

// A few orders are invalid and end as dead letters.
constexpr unsigned shelves = 20;  // one of them is the thirteenth
constexpr unsigned sales_per_bad_amount = 45;
constexpr unsigned sales_per_bad_address = 15;

}  // namespace

void shop::sell() {
    const auto customer = dice_() % 1000;
    const bool bad_amount = dice_() % sales_per_bad_amount == 0;
    const bool bad_address = dice_() % sales_per_bad_address == 0;
    const auto amount =
        bad_amount ? "NaN" : fmt::format("{}.{:02}", 5 + dice_() % 200, dice_() % 100);
    const auto order = fmt::format(R"({{"order": {}, "customer": {}, "shelf": {}}})", ++order_,
                                   customer, 1 + dice_() % shelves);
    const auto payment =
        fmt::format(R"({{"order": {}, "amount": "{}", "currency": "EUR"}})", order_, amount);
    const auto mail = fmt::format(R"({{"to": "customer-{}{}", "order": {}, "template": "thanks"}})",
                                  customer, bad_address ? "" : "@example.com", order_);
    // A real shop would insert its order in the same transaction.
    transaction sale(session_);
    publish(sale, {.event_type = "order.placed", .payload = order, .source = "shop"});
    publish(sale, {.event_type = "payment.captured", .payload = payment, .source = "shop"});
    publish(sale, {.event_type = "mail.requested", .payload = mail, .source = "shop"});
    sale.commit();
    counts_.published += 3;
}

}  // namespace postrider::cli::demo
