#include "pg/conninfo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <postrider/error.hpp>

namespace postrider::pg {
namespace {

TEST(conninfo, a_password_is_seen_in_every_form) {
    EXPECT_TRUE(has_password("postgresql://app:secret@localhost/app"));
    EXPECT_TRUE(has_password("postgresql://app@localhost/app?password=secret"));
    EXPECT_TRUE(has_password("host=localhost password=secret"));
    EXPECT_TRUE(has_password("host=localhost sslpassword=secret"));
    EXPECT_FALSE(has_password("postgresql://app@localhost/app"));
    EXPECT_FALSE(has_password(""));
}

TEST(conninfo, a_description_never_shows_the_password) {
    EXPECT_EQ(describe_conninfo("postgresql://app:secret@db.example:5433/shop?sslmode=require"),
              "user=app dbname=shop host=db.example port=5433");
    EXPECT_EQ(describe_conninfo(""), "libpq's defaults");
}

TEST(conninfo, an_unreadable_address_is_not_repeated_in_the_error) {
    try {
        check_conninfo("postgresql://app:secret%zz@host/x");
        FAIL() << "accepted";
    } catch (const usage_error& problem) {
        EXPECT_EQ(std::string(problem.what()).find("secret"), std::string::npos);
    }
}

TEST(conninfo, becomes_environment_variables_for_children) {
    const auto variables = as_environment("host=/run/x user=app dbname=shop password=secret");
    EXPECT_EQ(variables.at("PGHOST"), "/run/x");
    EXPECT_EQ(variables.at("PGUSER"), "app");
    EXPECT_EQ(variables.at("PGDATABASE"), "shop");
    EXPECT_EQ(variables.at("PGPASSWORD"), "secret");
}

}  // namespace
}  // namespace postrider::pg
