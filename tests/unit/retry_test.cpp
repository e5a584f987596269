#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <postrider/error.hpp>
#include <postrider/retry.hpp>
#include <sstream>

namespace postrider {
namespace {

using std::chrono::milliseconds;

struct vector_line {
    retry_policy policy = {};
    int attempt = 0;
    double u = 0;
    std::chrono::microseconds expected{};
    std::string text;
};

std::optional<milliseconds> optional_ms(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(milliseconds(std::stoll(text)));
}

curve curve_from(const std::string& name) {
    return name == "exponential" ? curve::exponential
           : name == "quadratic" ? curve::quadratic
           : name == "linear"    ? curve::linear
           : name == "fixed"     ? curve::fixed
           : name == "immediate" ? curve::immediate
                                 : curve::list;
}

std::vector<milliseconds> delays_from(std::string text) {
    std::vector<milliseconds> delays;
    std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' '; });
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        delays.emplace_back(std::stoll(item));
    }
    return delays;
}

vector_line read_line(const std::string& line) {
    std::istringstream fields(line);
    const auto next = [&] {
        std::string field;
        std::getline(fields, field, '\t');
        return field;
    };
    vector_line read{.text = line};
    read.policy.curve = curve_from(next());
    read.policy.base = optional_ms(next());
    if (const auto multiplier = next(); !multiplier.empty()) {
        read.policy.multiplier = std::stod(multiplier);
    }
    read.policy.cap = optional_ms(next());
    read.policy.floor = optional_ms(next());
    if (const auto name = next(); !name.empty()) {
        read.policy.jitter = name == "full"    ? jitter::full
                             : name == "equal" ? jitter::equal
                                               : jitter::none;
    }
    read.policy.delays = delays_from(next());
    read.attempt = std::stoi(next());
    read.u = std::stod(next());
    read.expected = std::chrono::microseconds(std::stoll(next()));
    return read;
}

std::vector<vector_line> vectors() {
    std::ifstream file(std::string(POSTRIDER_TEST_VECTORS) + "/delay.tsv");
    std::vector<vector_line> lines;
    std::string line;
    std::getline(file, line);  // the names of the columns
    while (std::getline(file, line)) {
        lines.push_back(read_line(line));
    }
    return lines;
}

TEST(retry, the_library_waits_exactly_as_long_as_the_database) {
    const auto lines = vectors();
    ASSERT_GT(lines.size(), 300U);
    for (const auto& line : lines) {
        EXPECT_EQ(delay(line.policy, line.attempt, line.u), line.expected) << line.text;
    }
}

TEST(retry, the_default_is_exponential_with_full_jitter) {
    EXPECT_EQ(delay({}, 1, 0.5), milliseconds(500));
    EXPECT_EQ(delay({}, 5, 0.5), milliseconds(8000));
    EXPECT_EQ(delay({}, 100, 0.5), milliseconds(150'000));
    EXPECT_EQ(delay({}, 1, 0), milliseconds(100));
}

TEST(retry, a_policy_is_written_as_the_database_reads_it) {
    EXPECT_EQ(to_json(retry_policy{}), R"({"curve":"exponential"})");
    EXPECT_EQ(to_json({.curve = curve::list,
                       .base = milliseconds(1),
                       .multiplier = 1.5,
                       .cap = milliseconds(2),
                       .floor = milliseconds(0),
                       .jitter = jitter::equal,
                       .delays = {milliseconds(5), milliseconds(60)},
                       .max_age = milliseconds(9)}),
              R"({"curve":"list","base_ms":1,"multiplier":1.5,"cap_ms":2,"floor_ms":0,)"
              R"("jitter":"equal","delays_ms":[5,60],"max_age_ms":9})");
}

TEST(retry, a_policy_that_makes_no_sense_is_refused_before_the_database_sees_it) {
    EXPECT_THROW(to_json({.curve = curve::list}), usage_error);
    EXPECT_THROW(to_json({.base = milliseconds(-1)}), usage_error);
    EXPECT_THROW(to_json({.multiplier = -0.5}), usage_error);
    EXPECT_THROW(to_json({.max_age = milliseconds(-1)}), usage_error);
    EXPECT_THROW(to_json({.multiplier = std::numeric_limits<double>::quiet_NaN()}), usage_error);
    EXPECT_THROW(to_json({.curve = curve::list, .delays = {milliseconds(-1)}}), usage_error);
}

TEST(retry, a_base_that_is_more_than_the_cap_is_refused) {
    EXPECT_THROW(to_json({.base = milliseconds(2), .cap = milliseconds(1)}), usage_error);
    EXPECT_THROW(to_json({.curve = curve::fixed, .base = milliseconds(300'001)}), usage_error);
    EXPECT_THROW(to_json({.curve = curve::fixed, .cap = milliseconds(59'999)}), usage_error);
    EXPECT_THROW(to_json({.curve = curve::linear, .cap = milliseconds(999)}), usage_error);
    EXPECT_NO_THROW(to_json({.base = milliseconds(2), .cap = milliseconds(2)}));
    EXPECT_NO_THROW(to_json({.curve = curve::immediate, .cap = milliseconds(0)}));
    try {
        to_json({.base = milliseconds(2000), .cap = milliseconds(1000)});
        FAIL();
    } catch (const usage_error& problem) {
        EXPECT_STREQ(
            problem.what(),
            "retry policy: base 2000 ms is more than cap 1000 ms; lower base or raise cap");
    }
}

}  // namespace
}  // namespace postrider
