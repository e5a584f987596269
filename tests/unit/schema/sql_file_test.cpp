#include "migrate/sql_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <postrider/error.hpp>

namespace postrider::migrate {
namespace {

std::vector<std::string> names_in_order(const std::vector<embedded_file>& sources) {
    std::vector<sql_file> files;
    for (const auto& source : sources) {
        files.push_back(parse_sql_file(source));
    }
    std::vector<std::string> names;
    for (const auto& file : in_dependency_order(files)) {
        names.emplace_back(file.name);
    }
    return names;
}

TEST(sql_file, headers_are_read_from_the_comments_at_the_top) {
    const auto file = parse_sql_file({"functions/claim.sql", "d",
                                      "-- claim(): hands out messages.\n"
                                      "-- postrider: after route, covers\n"
                                      "-- postrider: drop function if exists postrider.claim(int)\n"
                                      "\n"
                                      "-- postrider: after settle\n"
                                      "create function ...\n"
                                      "-- postrider: after not_a_header\n"});
    EXPECT_EQ(file.name, "claim");
    EXPECT_EQ(file.after, (std::vector<std::string>{"route", "covers", "settle"}));
    EXPECT_EQ(file.drops, std::vector<std::string>{"drop function if exists postrider.claim(int)"});
    EXPECT_FALSE(file.no_transaction);
}

TEST(sql_file, a_migration_can_ask_for_no_transaction_and_be_breaking) {
    const auto file = parse_sql_file(
        {"migrations/0003_x.sql", "d", "-- postrider: no-transaction\n-- postrider: breaking\n"});
    EXPECT_TRUE(file.no_transaction);
    EXPECT_TRUE(file.breaking);
}

TEST(sql_file, an_unknown_header_is_refused) {
    EXPECT_THROW(parse_sql_file({"functions/x.sql", "d", "-- postrider: before y\n"}), error);
}

TEST(dependency_order, without_headers_files_come_by_path) {
    EXPECT_EQ(
        names_in_order(
            {{"views/a.sql", "", ""}, {"functions/c.sql", "", ""}, {"functions/b.sql", "", ""}}),
        (std::vector<std::string>{"b", "c", "a"}));
}

TEST(dependency_order, a_file_comes_after_those_it_names) {
    EXPECT_EQ(names_in_order({{"functions/a.sql", "", "-- postrider: after c\n"},
                              {"functions/b.sql", "", ""},
                              {"functions/c.sql", "", "-- postrider: after d, b\n"},
                              {"views/d.sql", "", ""}}),
              (std::vector<std::string>{"b", "d", "c", "a"}));
}

TEST(dependency_order, a_circle_an_unknown_name_and_a_double_name_are_refused) {
    EXPECT_THROW(names_in_order({{"functions/a.sql", "", "-- postrider: after b\n"},
                                 {"functions/b.sql", "", "-- postrider: after a\n"}}),
                 error);
    EXPECT_THROW(names_in_order({{"functions/a.sql", "", "-- postrider: after missing\n"}}), error);
    EXPECT_THROW(names_in_order({{"functions/a.sql", "", ""}, {"views/a.sql", "", ""}}), error);
}

}  // namespace
}  // namespace postrider::migrate
