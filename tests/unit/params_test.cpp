#include "pg/params.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <postrider/error.hpp>
#include <string>

namespace postrider::pg {
namespace {

TEST(params, values_become_text_in_order) {
    const params values("a", std::string("b"), 12, -3L, true, std::nullopt, std::optional<int>{},
                        std::optional<std::string>{"c"});
    const auto arrays = values.view();
    ASSERT_EQ(arrays.count, 8);
    EXPECT_STREQ(arrays.values[0], "a");
    EXPECT_STREQ(arrays.values[1], "b");
    EXPECT_STREQ(arrays.values[2], "12");
    EXPECT_STREQ(arrays.values[3], "-3");
    EXPECT_STREQ(arrays.values[4], "t");
    EXPECT_EQ(arrays.values[5], nullptr);
    EXPECT_EQ(arrays.values[6], nullptr);
    EXPECT_STREQ(arrays.values[7], "c");
}

TEST(params, binary_values_keep_their_zero_bytes) {
    params values;
    values.add_binary(std::string_view("\0\1", 2));
    const auto arrays = values.view();
    EXPECT_EQ(arrays.lengths[0], 2);
    EXPECT_EQ(arrays.formats[0], 1);
}

TEST(params, text_with_a_zero_byte_is_refused_rather_than_cut) {
    params values;
    EXPECT_THROW(values.add(std::string_view("a\0b", 3)), usage_error);
}

TEST(params, can_be_filled_again) {
    params values("first");
    values.clear();
    values.add("second");
    EXPECT_EQ(values.size(), 1U);
    EXPECT_STREQ(values.view().values[0], "second");
}

}  // namespace
}  // namespace postrider::pg
