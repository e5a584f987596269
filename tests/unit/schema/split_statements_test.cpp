#include <gtest/gtest.h>

#include "migrate/sql_file.hpp"

namespace postrider::migrate {
namespace {

using statements = std::vector<std::string_view>;

TEST(split_statements, cuts_at_semicolons) {
    EXPECT_EQ(split_statements("select 1;select 2;"), (statements{"select 1;", "select 2;"}));
    EXPECT_EQ(split_statements("select 1"), (statements{"select 1"}));
}

TEST(split_statements, leaves_quotes_and_comments_whole) {
    EXPECT_EQ(split_statements("select ';', \"a;b\", 'it''s;'; -- no; cut\n/* ; /* ; */ ; */ x;"),
              (statements{"select ';', \"a;b\", 'it''s;';", " -- no; cut\n/* ; /* ; */ ; */ x;"}));
}

TEST(split_statements, leaves_dollar_quotes_whole) {
    EXPECT_EQ(split_statements("do $x$ a; $y$ ; $x$;select $1;"),
              (statements{"do $x$ a; $y$ ; $x$;", "select $1;"}));
}

TEST(split_statements, empty_statements_are_skipped) {
    EXPECT_TRUE(split_statements("-- only a comment;\n ; /* ; */ ;\n").empty());
    EXPECT_TRUE(split_statements("").empty());
}

}  // namespace
}  // namespace postrider::migrate
