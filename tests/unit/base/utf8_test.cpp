#include "base/encoding/utf8.hpp"

#include <gtest/gtest.h>

namespace postrider {
namespace {

using namespace std::string_literals;

bool is_usable(const std::string& text) { return usable_utf8(text) == text.size(); }

TEST(utf8, characters_of_every_length_are_taken) {
    EXPECT_TRUE(is_usable(""));
    EXPECT_TRUE(is_usable("plain text of more than eight bytes"));
    EXPECT_TRUE(is_usable("\u00fc \u20ac \U0001F600 \U0010FFFF"));
    EXPECT_TRUE(is_usable("seven.. \u00fc after a word"));
}

TEST(utf8, invalid_utf8_is_found_with_its_position) {
    EXPECT_EQ(usable_utf8("0123456789\0abc"s), 10U);
    EXPECT_EQ(usable_utf8("01234567\xff"s), 8U);
    for (const auto& bad : {"\x80"s, "\xc0\x80"s, "\xc1\xbf"s, "\xe0\x80\x80"s, "\xed\xa0\x80"s,
                            "\xf0\x80\x80\x80"s, "\xf4\x90\x80\x80"s, "\xf5\x80\x80\x80"s, "\xc3"s,
                            "\xe2\x82"s, "\xe2\x82x"s, "\xf0\x9f\x98"s, "\xc3("s}) {
        EXPECT_EQ(usable_utf8("ok" + bad), 2U);
    }
}

TEST(utf8, repairing_keeps_whole_characters_and_the_limit) {
    EXPECT_EQ(repaired_utf8("a\xff\u00fc\0z"s, 100), "a?\u00fc?z");
    EXPECT_EQ(repaired_utf8("\u00fc\u00fc\u00fc", 5), "\u00fc\u00fc");
    EXPECT_EQ(repaired_utf8("abc", 0), "");
}

}  // namespace
}  // namespace postrider
