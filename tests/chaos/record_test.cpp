#include "chaos/record/record.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "chaos/record/history.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::chaos {
namespace {

TEST(record_test, any_bytes_survive_a_line) {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) {
        bytes += static_cast<char>(byte);
    }
    const auto line = to_line(record{.at = 7, .kind = "run"}.add("text", bytes).add("none", ""));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto read = parse_line(std::string_view(line).substr(0, line.size() - 1));
    EXPECT_EQ(read.at, 7);
    EXPECT_EQ(read.kind, "run");
    EXPECT_EQ(read.text("text"), bytes);
    EXPECT_TRUE(read.has("none"));
    EXPECT_EQ(read.text("none"), "");
    EXPECT_FALSE(read.has("other"));
}

TEST(record_test, malformed_lines_are_refused) {
    for (const char* line : {"", "run", "x run", "1", "1 run a", "1 run a=%4", "1 run a=%zz"}) {
        EXPECT_THROW(parse_line(line), std::runtime_error) << line;
    }
    EXPECT_THROW(parse_line("1 run n=x").number("n"), std::runtime_error);
}

TEST(record_test, a_line_that_was_never_finished_is_left_out) {
    const test::scratch_directory place;
    const auto file = place.path() / "one.history";
    {
        history to(file);
        to.write({.kind = "first"});
    }
    std::ofstream(file, std::ios::app) << "12 secon";
    std::vector<std::string> kinds;
    read_history(file, [&](const record& one) { kinds.push_back(one.kind); });
    EXPECT_EQ(kinds, std::vector<std::string>{"first"});
}

}  // namespace
}  // namespace postrider::chaos
