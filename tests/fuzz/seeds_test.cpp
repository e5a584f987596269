// Regression test: the parsers survive every seed and every truncated seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/targets.hpp"

namespace postrider::test {
namespace {

namespace fs = std::filesystem;

TEST(seeds_test, every_parser_survives_its_seeds) {
    for (const auto& target : fuzz_targets()) {
        int seeds = 0;
        for (const auto& entry :
             fs::directory_iterator(fs::path(POSTRIDER_FUZZ_SEEDS) / std::string(target.name))) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes(std::istreambuf_iterator<char>(file), {});
            for (std::size_t length = 0; length <= bytes.size(); ++length) {
                // A copy of exactly this length: reading beyond its end is noticed.
                const std::vector<char> piece(bytes.begin(),
                                              bytes.begin() + static_cast<std::ptrdiff_t>(length));
                target.try_bytes({piece.data(), piece.size()});
            }
            ++seeds;
        }
        EXPECT_GT(seeds, 0) << target.name;
    }
}

}  // namespace
}  // namespace postrider::test
