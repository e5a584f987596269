#include <gtest/gtest.h>

#include <postrider/error.hpp>
#include <set>

#include "pg/errors.hpp"

namespace postrider {
namespace {

TEST(errors, every_sqlstate_of_ours_is_used_once) {
    std::set<std::string_view> seen;
    for (const auto& item : error_table()) {
        if (!item.sqlstate.empty()) {
            EXPECT_EQ(item.sqlstate.size(), 5U) << item.name;
            EXPECT_TRUE(item.sqlstate.starts_with("PR")) << item.name;
            EXPECT_TRUE(seen.insert(item.sqlstate).second) << item.name;
        }
    }
    EXPECT_GE(seen.size(), 14U);
}

TEST(errors, every_error_names_a_remedy) {
    for (const auto& item : error_table()) {
        EXPECT_NE(item.meaning.find(". "), std::string_view::npos) << item.name;
        EXPECT_GE(item.http_status, 400) << item.name;
        EXPECT_NE(item.exit_code, 0) << item.name;
        EXPECT_EQ(&describe(item.code), &item);
    }
}

TEST(errors, a_sqlstate_leads_back_to_its_code) {
    for (const auto& item : error_table()) {
        if (!item.sqlstate.empty()) {
            EXPECT_EQ(pg::code_for(item.sqlstate), item.code) << item.name;
        }
    }
    EXPECT_EQ(pg::code_for("PR999"), errc::database_error);
    EXPECT_EQ(pg::code_for("42501"), errc::permission_denied);
    EXPECT_EQ(pg::code_for("57P01"), errc::connection_failed);
    EXPECT_EQ(pg::code_for("23505"), errc::database_error);
}

TEST(errors, only_temporary_errors_are_retryable) {
    for (const auto* state : {"40001", "40P01", "08006", "57P03", "53300", "55P03"}) {
        EXPECT_TRUE(pg::is_retryable(state)) << state;
    }
    for (const auto* state : {"22P02", "23505", "42601", "PR001", ""}) {
        EXPECT_FALSE(pg::is_retryable(state)) << state;
    }
}

TEST(errors, an_unknown_commit_is_its_own_case) {
    const commit_unknown_error problem("lost", {.operation = "commit", .connection_lost = true});
    EXPECT_TRUE(problem.commit_unknown());
    EXPECT_TRUE(problem.connection_lost());
    EXPECT_FALSE(problem.retryable());
    EXPECT_EQ(problem.operation(), "commit");
}

}  // namespace
}  // namespace postrider
