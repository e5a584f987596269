#include "client/classify.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>

namespace postrider::client {
namespace {

struct rate_limited : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename Thrown>
outcome of(const Thrown& thrown, const handler_options& options = {}, bool session_lost = false) {
    return classify(std::make_exception_ptr(thrown), options, session_lost);
}

error with_sqlstate(const std::string& state) {
    return {errc::database_error, "no", {.sqlstate = state}};
}

TEST(classify, an_exception_is_a_failure_named_by_its_type) {
    const auto how = of(std::runtime_error("mail server did not answer"));
    EXPECT_EQ(how.kind, outcome_kind::transient);
    EXPECT_EQ(how.error, "mail server did not answer");
    EXPECT_EQ(how.error_class, "std::runtime_error");
    EXPECT_FALSE(how.delay);
    EXPECT_NE(of(rate_limited("slow down")).error_class.find("rate_limited"), std::string::npos);
}

TEST(classify, a_terminal_error_and_derived_types_are_terminal) {
    EXPECT_EQ(of(terminal_error("gone")).kind, outcome_kind::terminal);
    const auto how = of(payload_error("not a number"));
    EXPECT_EQ(how.kind, outcome_kind::terminal);
    EXPECT_EQ(how.error_class, "postrider::payload_error");
}

TEST(classify, a_thrown_outcome_overrides_the_lists) {
    const handler_options all_final{.terminal_errors = error_list::of<std::exception>()};
    const auto how = of(outcome_error(retry_after(std::chrono::seconds(7))), all_final);
    EXPECT_EQ(how.kind, outcome_kind::transient);
    EXPECT_EQ(how.delay, std::chrono::seconds(7));
    EXPECT_EQ(of(outcome_error(snooze(std::chrono::seconds(1))), all_final).kind,
              outcome_kind::snooze);
}

TEST(classify, a_handlers_lists_come_before_the_defaults) {
    const handler_options final{.terminal_errors = error_list::of<rate_limited>()};
    EXPECT_EQ(of(rate_limited("x"), final).kind, outcome_kind::terminal);
    EXPECT_EQ(of(std::runtime_error("x"), final).kind, outcome_kind::transient);
    const handler_options hopeful{.transient_errors = error_list::of<terminal_error, error>()};
    EXPECT_EQ(of(payload_error("x"), hopeful).kind, outcome_kind::transient);
    EXPECT_EQ(of(with_sqlstate("23505"), hopeful).kind, outcome_kind::transient);
    EXPECT_EQ(of(with_sqlstate("23505"), hopeful).error_class, "postrider::error");
    EXPECT_EQ(of(with_sqlstate("40001"), hopeful).error_class, "sqlstate:40001");
    // All errors are terminal except one: the exception to the rule takes precedence.
    const handler_options both{.terminal_errors = error_list::of<std::exception>(),
                               .transient_errors = error_list::of<rate_limited>()};
    EXPECT_EQ(of(rate_limited("x"), both).kind, outcome_kind::transient);
    EXPECT_EQ(of(std::logic_error("x"), both).kind, outcome_kind::terminal);
}

TEST(classify, wrong_data_is_final_and_conflicts_are_not) {
    for (const auto* state : {"22P02", "22001", "23505", "23503"}) {
        const auto how = of(with_sqlstate(state));
        EXPECT_EQ(how.kind, outcome_kind::terminal) << state;
        EXPECT_EQ(how.error_class, std::string("sqlstate:") + state);
    }
    for (const auto* state : {"40001", "40P01", "53100", "55P03", "57014", "42P01", "PR001"}) {
        const auto how = of(with_sqlstate(state));
        EXPECT_EQ(how.kind, outcome_kind::transient) << state;
        EXPECT_EQ(how.error_class, std::string("sqlstate:") + state);
    }
    EXPECT_EQ(of(usage_error("empty")).error_class, "postrider::usage_error");
}

TEST(classify, the_workers_lost_connection_interrupts_and_costs_nothing) {
    const connection_error lost("gone", {.sqlstate = "57P01", .connection_lost = true});
    EXPECT_EQ(of(lost, {}, true).kind, outcome_kind::interrupted);
    EXPECT_EQ(of(lost, {}, true).delay, std::chrono::seconds(1));
    EXPECT_EQ(of(lost, {}, true).error_class, "sqlstate:57P01");
    EXPECT_EQ(of(commit_unknown_error("in doubt"), {}, true).kind, outcome_kind::interrupted);
    const handler_options listed{.transient_errors = error_list::of<connection_error>()};
    EXPECT_EQ(of(lost, listed, true).kind, outcome_kind::transient);
}

TEST(classify, a_lost_connection_of_the_handlers_own_is_a_failure) {
    const connection_error lost("gone", {.sqlstate = "57P01", .connection_lost = true});
    EXPECT_EQ(of(lost).kind, outcome_kind::transient);
    EXPECT_EQ(of(commit_unknown_error("in doubt")).kind, outcome_kind::transient);
}

TEST(classify, a_delay_is_within_reason) {
    using std::chrono::milliseconds;
    EXPECT_EQ(reportable(snooze(milliseconds::min())).delay, milliseconds(0));
    EXPECT_EQ(reportable(snooze(milliseconds(5))).delay, milliseconds(5));
    EXPECT_EQ(reportable(retry_after(milliseconds::max())).delay, milliseconds(1'000'000'000'000));
}

TEST(classify, an_exception_without_a_text_is_a_failure_of_its_type) {
    struct speechless : std::exception {
        const char* what() const noexcept override { return nullptr; }
    };
    EXPECT_EQ(of(speechless()).error, "");
    EXPECT_EQ(of(speechless()).kind, outcome_kind::transient);
}

TEST(classify, a_thrown_value_that_is_no_exception_fails_too) {
    const auto how = of(42);
    EXPECT_EQ(how.kind, outcome_kind::transient);
    EXPECT_EQ(how.error, "unknown exception");
    EXPECT_EQ(how.error_class, "int");
}

TEST(classify, the_text_of_an_error_fits_the_database) {
    const auto how = of(std::runtime_error("bad \xff byte"));
    EXPECT_EQ(how.error, "bad ? byte");
    EXPECT_EQ(of(std::runtime_error(std::string(10'000, 'x'))).error.size(), 8192U);
    using namespace std::string_literals;
    EXPECT_EQ(reportable(transient("a\0b"s)).error, "a?b");
}

}  // namespace
}  // namespace postrider::client
