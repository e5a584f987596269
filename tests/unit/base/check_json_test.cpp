#include "base/json/check_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace postrider {
namespace {

using namespace std::string_literals;

TEST(check_json, every_kind_of_value_is_taken) {
    for (const auto* text :
         {"{}", "[]", " [ 1 , -0.5e+3 , \"x\" , true , false , null , {} ] ", "\"\"", "0", "-0",
          R"({"a": {"b": [[], {"c": "\" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00"}]}})",
          "\"\u00fc\u20ac\U0001F600\"", R"({"a": 1, "a": 2})", "1e1000", "\"\x7f\""}) {
        const auto found = check_json(text);
        EXPECT_EQ(found.problem, nullptr) << text << ": " << found.problem;
    }
}

TEST(check_json, documents_that_postgresql_refuses_are_refused) {
    for (const auto& text : {""s,
                             " "s,
                             "{"s,
                             "}"s,
                             "[1,]"s,
                             "[1 2]"s,
                             "{\"a\"}"s,
                             "{\"a\":}"s,
                             "{a: 1}"s,
                             "{\"a\":1,}"s,
                             "'x'"s,
                             "nul"s,
                             "truex"s,
                             "01"s,
                             "1."s,
                             ".5"s,
                             "+1"s,
                             "1e"s,
                             "--1"s,
                             "\"a"s,
                             "\"\n\""s,
                             "\"\\x\""s,
                             "\"\\u12\""s,
                             "\"\\u0000\""s,
                             "\"\\ud83d\""s,
                             "\"\\ude00\""s,
                             "\"\\ud83dx\""s,
                             "{} {}"s,
                             "[1}"s,
                             "{}\0"s,
                             "\"\0\""s,
                             "\"\xff\""s,
                             "\"\xed\xa0\x80\""s,
                             "1e131072"s,
                             "1e-16384"s,
                             "NaN"s}) {
        EXPECT_NE(check_json(text).problem, nullptr) << text;
    }
}

TEST(check_json, the_place_of_the_problem_is_named) {
    EXPECT_EQ(check_json(R"({"a": 1, b: 2})").at, 9U);
    EXPECT_EQ(check_json("[1, \"\xff\"]").at, 5U);
    EXPECT_EQ(check_json("[1, 1e200000]").at, 4U);
    EXPECT_STREQ(check_json("[1, 2").problem, "the text ends too early");
}

TEST(check_json, an_object_is_told_from_other_values) {
    EXPECT_TRUE(check_json(" \n{\"a\": []}").object);
    EXPECT_FALSE(check_json("[{}]").object);
    EXPECT_FALSE(check_json("null").object);
}

TEST(check_json, depth_has_a_limit_and_costs_no_stack) {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_EQ(check_json(nested(json_depth_max)).problem, nullptr);
    const auto found = check_json(nested(json_depth_max + 1));
    ASSERT_NE(found.problem, nullptr);
    EXPECT_EQ(found.at, json_depth_max);
    EXPECT_NE(check_json(nested(500'000)).problem, nullptr);
}

}  // namespace
}  // namespace postrider
