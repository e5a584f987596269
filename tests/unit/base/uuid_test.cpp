#include "base/encoding/uuid.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <postrider/error.hpp>
#include <set>

namespace postrider {
namespace {

TEST(uuid_test, text_and_back_is_the_same) {
    const auto made = uuid::random();
    EXPECT_EQ(uuid::parse(made.text()), made);
    EXPECT_EQ(uuid::from_bytes(made.as_bytes()), made);
    EXPECT_EQ(uuid::parse("01890A5D-AC96-774B-BCCE-B302099A8057").text(),
              "01890a5d-ac96-774b-bcce-b302099a8057");
}

TEST(uuid_test, version_and_variant_are_marked) {
    EXPECT_EQ(uuid::random().text()[14], '4');
    EXPECT_EQ(uuid::time_ordered().text()[14], '7');
    EXPECT_EQ(uuid::time_ordered().bytes[8] & 0xc0U, 0x80U);
}

TEST(uuid_test, ten_thousand_are_all_different) {
    std::set<uuid> all;
    for (int i = 0; i < 10000; ++i) {
        all.insert(uuid::time_ordered());
    }
    EXPECT_EQ(all.size(), 10000U);
}

TEST(uuid_test, a_child_process_makes_others_than_its_parent) {
    uuid::random();
    int channel[2];
    ASSERT_EQ(::pipe(channel), 0);
    const auto child = ::fork();
    if (child == 0) {
        const auto made = uuid::random();
        ::_exit(::write(channel[1], made.bytes.data(), 16) == 16 ? 0 : 1);
    }
    uuid theirs;
    ASSERT_EQ(::read(channel[0], theirs.bytes.data(), 16), 16);
    ::waitpid(child, nullptr, 0);
    ::close(channel[0]);
    ::close(channel[1]);
    EXPECT_NE(uuid::random(), theirs);
}

TEST(uuid_test, anything_else_is_refused) {
    for (const auto* text :
         {"", "x", "01890a5d-ac96-774b-bcce-b302099a805", "01890a5dxac96-774b",
          "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5d+ac96-774b-bcce-b302099a8057"}) {
        EXPECT_THROW(uuid::parse(text), usage_error) << text;
    }
    EXPECT_THROW(uuid::from_bytes("short"), error);
}

}  // namespace
}  // namespace postrider
