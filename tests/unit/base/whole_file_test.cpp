#include "embedded/files/whole_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <postrider/error.hpp>

#include "support/scratch_directory.hpp"

namespace postrider::embedded {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(whole_file, has_the_new_content_and_nothing_beside_it) {
    const test::scratch_directory place;
    const auto file = place.path() / "settings";
    replace_file(file, "one", std::nullopt, true);
    replace_file(file, "two", std::nullopt, true);
    EXPECT_EQ(content(file), "two");
    EXPECT_FALSE(fs::exists(place.path() / "settings.new"));
}

TEST(whole_file, does_not_follow_a_link_that_waits_for_it) {
    const test::scratch_directory place;
    std::ofstream(place.path() / "precious") << "kept";
    fs::create_symlink(place.path() / "precious", place.path() / "settings.new");
    replace_file(place.path() / "settings", "text", std::nullopt, false);
    EXPECT_EQ(content(place.path() / "precious"), "kept");
    fs::create_symlink(place.path() / "precious", place.path() / "longer");
    EXPECT_THROW(append_to_file(place.path() / "longer", "text", std::nullopt, false), error);
    EXPECT_EQ(content(place.path() / "precious"), "kept");
}

TEST(whole_file, a_failed_write_is_an_error) {
    const test::scratch_directory place;
    EXPECT_THROW(replace_file(place.path() / "none" / "settings", "text", std::nullopt, false),
                 error);
    EXPECT_THROW(append_to_file("/dev/full", "text", std::nullopt, false), error);
}

}  // namespace
}  // namespace postrider::embedded
