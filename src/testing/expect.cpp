#include <postrider/testing.hpp>

namespace postrider::testing {
namespace {

std::string wanted(outcome_kind kind, std::string_view error_class) {
    auto text = std::string(to_string(kind));
    return error_class.empty() ? text : text + " with the class " + std::string(error_class);
}

void expect(const outcome& how, outcome_kind kind, std::string_view error_class) {
    if (how.kind != kind || (!error_class.empty() && how.error_class != error_class)) {
        throw expectation_failed("expected " + wanted(kind, error_class) + ", but the outcome is " +
                                 describe(how));
    }
}

}  // namespace

expectation_failed::~expectation_failed() = default;

std::string describe(const outcome& how) {
    auto text = std::string(to_string(how.kind));
    if (how.delay) {
        text += " after " + std::to_string(how.delay->count()) + " ms";
    }
    for (const auto& part : {how.error_class, how.error}) {
        text += part.empty() ? "" : ": " + part;
    }
    return text;
}

void expect_delivered(const outcome& how) { expect(how, outcome_kind::delivered, {}); }

void expect_transient(const outcome& how, std::string_view error_class) {
    expect(how, outcome_kind::transient, error_class);
}

void expect_terminal(const outcome& how, std::string_view error_class) {
    expect(how, outcome_kind::terminal, error_class);
}

void expect_snooze(const outcome& how, std::chrono::milliseconds delay) {
    expect(how, outcome_kind::snooze, {});
    if (how.delay != delay) {
        throw expectation_failed("expected snooze for " + std::to_string(delay.count()) +
                                 " ms, but the outcome is " + describe(how));
    }
}

}  // namespace postrider::testing
