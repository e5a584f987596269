#include "base/json/json.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/json/check_json.hpp"
#include "base/json/json_members.hpp"

namespace postrider::test {
namespace {

TEST(json, a_string_of_any_bytes_has_the_size_that_was_computed) {
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += static_cast<char>(i);
        EXPECT_EQ(json_string(all).size(), json_string_size(all)) << i;
    }
    EXPECT_EQ(json_string_size(""), 2U);
}

TEST(json, control_characters_are_escaped) {
    EXPECT_EQ(json_string("\x01\t\n\x1f\"\\x"), "\"\\u0001\\u0009\\n\\u001f\\\"\\\\x\"");
    std::string controls;
    for (char c = 1; c < 0x20; ++c) {
        controls += c;
    }
    const auto quoted = json_string(controls);
    EXPECT_EQ(check_json(quoted).problem, nullptr) << quoted;
    EXPECT_EQ(json_unquoted(quoted), controls);
}

TEST(json, an_object_can_give_away_its_text) {
    json_object made;
    made.reserve(100).add("a", 1).add("b", "x");
    EXPECT_EQ(made.text(), R"({"a":1,"b":"x"})");
    EXPECT_EQ(std::move(made).text(), R"({"a":1,"b":"x"})");
    EXPECT_EQ(json_object().text(), "{}");
}

}  // namespace
}  // namespace postrider::test
