#include <gtest/gtest.h>

#include <postrider/error.hpp>

#include "base/json/json_members.hpp"
#include "cli/output/times.hpp"
#include "cli/work/retry_option.hpp"

namespace postrider::cli {
namespace {

using namespace std::chrono_literals;

TEST(cli_text, a_duration_is_a_sum_of_numbers_with_units) {
    EXPECT_EQ(parse_duration("250ms", "x"), 250ms);
    EXPECT_EQ(parse_duration("0s", "x"), 0s);
    EXPECT_EQ(parse_duration("1h30m", "x"), 90min);
    EXPECT_EQ(parse_duration("1d", "x"), 24h);
    for (const auto* wrong : {"", "5", "s", "-5s", "5 s", "5s ", "1.5s", "5y", "99999999999999d",
                              "9223372036854775808ms"}) {
        EXPECT_THROW(parse_duration(wrong, "x"), usage_error) << wrong;
    }
}

TEST(cli_text, an_instant_needs_its_zone) {
    const auto noon = parse_instant("2025-03-01T12:00:00Z", "x");
    EXPECT_EQ(noon.time_since_epoch(), 1740830400s);
    EXPECT_EQ(parse_instant("2025-03-01 13:00:00+01:00", "x"), noon);
    EXPECT_EQ(parse_instant("2025-03-01T06:30-0530", "x"), noon);
    EXPECT_EQ(parse_instant("2025-03-01T07:00:00.000-05", "x"), noon);
    EXPECT_EQ(parse_instant("2025-03-01T12:00:00.0000019Z", "x") - noon, 1us);
    for (const auto* wrong :
         {"", "2025-03-01", "2025-03-01T12:00:00", "2025-02-30T12:00:00Z", "2025-03-01T24:00:00Z",
          "2025-03-01T12:00:00.Z", "2025-03-01T12:00:00Zx", "2025-03-01T12:00:00+1"}) {
        EXPECT_THROW(parse_instant(wrong, "x"), usage_error) << wrong;
    }
}

TEST(cli_text, a_retry_policy_is_a_curve_with_base_and_cap) {
    EXPECT_EQ(to_json(parse_retry("exponential")), R"({"curve":"exponential"})");
    EXPECT_EQ(to_json(parse_retry("fixed:5s")), R"({"curve":"fixed","base_ms":5000})");
    EXPECT_EQ(to_json(parse_retry("linear:1s:1m")),
              R"({"curve":"linear","base_ms":1000,"cap_ms":60000})");
    EXPECT_EQ(to_json(parse_retry("list:1s,10s")), R"({"curve":"list","delays_ms":[1000,10000]})");
    for (const auto* wrong : {"", "often", "fixed:", "fixed:soon", "list", "list:", "list:1s,,2s",
                              "fixed:1s:2s:3s", "fixed:2s:1s"}) {
        EXPECT_THROW(parse_retry(wrong), usage_error) << wrong;
    }
}

TEST(cli_text, members_are_pieces_of_the_text) {
    const auto found = json_members(
        R"( { "a" : 1e400 ,"b":[1,{"x":"]}\""}], "c":"\\", "d\u00e9":{} , "e" : null} )");
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].value, "1e400");
    EXPECT_EQ(found[1].value, R"([1,{"x":"]}\""}])");
    EXPECT_EQ(found[2].value, R"("\\")");
    EXPECT_EQ(found[3].name, "dé");
    EXPECT_EQ(found[3].value, "{}");
    EXPECT_EQ(found[4].value, "null");
    EXPECT_TRUE(json_members("{}").empty());
}

TEST(cli_text, a_string_literal_stands_for_its_text) {
    EXPECT_EQ(json_unquoted(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
    EXPECT_EQ(json_unquoted(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "Aé€😀");
    EXPECT_EQ(json_unquoted(R"("")"), "");
}

}  // namespace
}  // namespace postrider::cli
