#include "cli/demo/demo_shop.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <postrider/publish.hpp>

namespace postrider::cli::demo {
namespace {

using nlohmann::json;

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
    ++order_;
    const json order{{"order", order_}, {"customer", customer}, {"shelf", 1 + dice_() % shelves}};
    const json payment{{"order", order_}, {"amount", amount}, {"currency", "EUR"}};
    const json mail{
        {"to", fmt::format("customer-{}{}", customer, bad_address ? "" : "@example.com")},
        {"order", order_},
        {"template", "thanks"}};
    // A real shop would insert its order in the same transaction.
    transaction sale(session_);
    publish(sale, {.event_type = "order.placed", .payload = order.dump(), .source = "shop"});
    publish(sale, {.event_type = "payment.captured", .payload = payment.dump(), .source = "shop"});
    publish(sale, {.event_type = "mail.requested", .payload = mail.dump(), .source = "shop"});
    sale.commit();
    counts_.published += 3;
}

}  // namespace postrider::cli::demo
