// A test of a handler that needs only postrider::testing: no server, no test framework, no delays.
#include <cstdlib>
#include <iostream>
#include <postrider/adapters/nlohmann.hpp>
#include <postrider/testing.hpp>

namespace shop {

struct invoice_due {
    int invoice;
    std::string email;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(invoice_due, invoice, email)

struct mail_server_busy : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The handler under test, as it is given to worker::on().
class send_reminder {
  public:
    explicit send_reminder(int& busy) : busy_(busy) {}

    postrider::outcome operator()(const postrider::event& e) const {
        const auto due = e.payload_as<invoice_due>();
        if (due.email.empty()) {
            return postrider::terminal("no address", "no_address");
        }
        if (busy_ > 0) {
            --busy_;
            throw mail_server_busy("try later");
        }
        return postrider::delivered();
    }

  private:
    int& busy_;
};

}  // namespace shop

namespace {

namespace testing = postrider::testing;
using namespace std::chrono_literals;

const postrider::message reminder{.event_type = "invoice.due",
                                  .payload = R"({"invoice": 7, "email": "ada@example.org"})"};

void a_reminder_is_sent() {
    int busy = 0;
    testing::expect_delivered(testing::run(shop::send_reminder(busy), reminder));
}

void a_payload_that_cannot_be_read_is_final() {
    int busy = 0;
    auto damaged = reminder;
    damaged.payload = R"({"invoice": "seven"})";
    testing::expect_terminal(testing::run(shop::send_reminder(busy), damaged),
                             "postrider::payload_error");
}

void a_missing_address_is_terminal() {
    int busy = 0;
    auto no_address = reminder;
    no_address.payload = R"({"invoice": 7, "email": ""})";
    testing::expect_terminal(testing::run(shop::send_reminder(busy), no_address), "no_address");
}

void a_busy_mail_server_is_tried_again_after_a_while() {
    int busy = 2;
    testing::fake_clock clock;
    const auto start = clock.now();
    const testing::run_options options{
        .handler = {.retry = {.curve = postrider::curve::quadratic}, .max_attempts = 3}};
    const auto cycle = testing::run_cycle(shop::send_reminder(busy), reminder, clock, options);
    testing::expect_transient(cycle.runs.front().how, "shop::mail_server_busy");
    if (!cycle.delivered || clock.now() - start != 1s + 4s) {
        throw testing::expectation_failed("expected the third attempt to deliver, after 5 s");
    }
}

}  // namespace

int main() try {
    a_reminder_is_sent();
    a_payload_that_cannot_be_read_is_final();
    a_missing_address_is_terminal();
    a_busy_mail_server_is_tried_again_after_a_while();
    std::cout << "all as expected\n";
    return EXIT_SUCCESS;
} catch (const testing::expectation_failed& said) {
    std::cerr << said.what() << '\n';
    return EXIT_FAILURE;
}
