#include <gtest/gtest.h>

#include <postrider/error.hpp>
#include <postrider/retry.hpp>

#include "client/classify.hpp"
#include "support/test_database.hpp"

// The library's checks and decisions agree with those of the database.
namespace postrider {
namespace {

using namespace std::chrono_literals;
using test::test_database;

class agreement : public ::testing::Test {
  protected:
    test_database database_;
    pg::connection session_ = database_.connect();
};

TEST_F(agreement, on_the_classification_of_exceptions) {
    const handler_options hopeful{.transient_errors = error_list::of<error, terminal_error>()};
    const handler_options strict{.terminal_errors = error_list::of<std::exception>()};
    std::vector<std::exception_ptr> thrown{
        std::make_exception_ptr(std::runtime_error("x")),
        std::make_exception_ptr(terminal_error("x")), std::make_exception_ptr(payload_error("x")),
        std::make_exception_ptr(usage_error("x")), std::make_exception_ptr(42)};
    for (const auto* state : {"22P02", "23505", "40001", "40P01", "53200", "42P01", "PR001"}) {
        thrown.push_back(
            std::make_exception_ptr(error(errc::database_error, "x", {.sqlstate = state})));
    }
    for (const auto& problem : thrown) {
        for (const auto& options : {handler_options{}, hopeful, strict}) {
            const auto how = client::classify(problem, options);
            const auto answer = session_.exec_params(
                "select postrider.classify($1, $2, '{}', true)",
                pg::params(to_string(how.kind), std::string_view(how.error_class)));
            EXPECT_EQ(answer.text(0, 0), to_string(how.kind)) << how.error_class;
        }
    }
}

TEST_F(agreement, on_the_lists_of_error_classes) {
    const std::vector<handler_options> lists{
        {},
        {.terminal_classes = {"http:4*", "sqlstate:40001"}, .transient_classes = {"http:429"}},
        {.terminal_classes = {"http:42*"}, .transient_classes = {"http:4*", "sqlstate:23*"}},
        {.honour_terminal = false}};
    const std::vector<std::string> registered{
        "{}", R"({"terminal": ["http:4*", "sqlstate:40001"], "transient": ["http:429"]})",
        R"({"terminal": ["http:42*"], "transient": ["http:4*", "sqlstate:23*"]})", "{}"};
    for (std::size_t i = 0; i < lists.size(); ++i) {
        for (const auto* error_class :
             {"http:404", "http:429", "http:4", "sqlstate:23505", "sqlstate:40001",
              "sqlstate:22P02", "terminal", "timeout"}) {
            for (const auto kind : {outcome_kind::transient, outcome_kind::terminal}) {
                const auto how = client::judged({kind, "x", error_class, {}}, lists[i]);
                const auto answer =
                    session_.exec_params("select postrider.classify($1, $2, $3, $4)",
                                         pg::params(to_string(kind), error_class, registered[i],
                                                    lists[i].honour_terminal));
                EXPECT_EQ(answer.text(0, 0), to_string(how.kind)) << error_class << registered[i];
            }
        }
    }
}

TEST_F(agreement, on_policies) {
    const std::vector<retry_policy> policies{
        {},
        {.curve = curve::quadratic, .base = 250ms, .cap = 1h, .jitter = jitter::equal},
        {.base = 10ms, .multiplier = 2.7182818284590451, .floor = 1ms, .max_age = 24h},
        {.curve = curve::list, .jitter = jitter::full, .delays = {1s, 5s, 60s}},
        {.curve = curve::immediate},
        {.curve = curve::fixed, .base = 15s}};
    for (const auto& policy : policies) {
        const auto json = to_json(policy);
        session_.exec_params("select postrider.require_retry($1)", pg::params(json));
        for (const int attempt : {1, 2, 3, 7, 40}) {
            const auto answer = session_.exec_params(
                "select (extract(epoch from postrider.delay($1, $2, 0.37)) * 1e6)::bigint",
                pg::params(json, attempt));
            EXPECT_EQ(delay(policy, attempt, 0.37).count(), answer.get<std::int64_t>(0, 0)) << json;
        }
    }
}

}  // namespace
}  // namespace postrider
