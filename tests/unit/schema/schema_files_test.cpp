#include "migrate/schema_files.hpp"

#include <gtest/gtest.h>

#include <postrider/error.hpp>
#include <vector>

#include "base/embedded_files.hpp"

namespace postrider::migrate {
namespace {

schema_files sorted(const std::vector<embedded_file>& files) { return schema_files(files); }

TEST(schema_files, each_file_finds_its_place) {
    const auto files = sorted({{"functions/claim/f.sql", "1", "-- postrider: grant worker\n"},
                               {"grants.sql", "2", ""},
                               {"migrations/0001_a.sql", "3", ""},
                               {"migrations/0002_b.sql", "4", ""},
                               {"native/exchange_native.sql", "8", ""},
                               {"roles.sql", "5", ""},
                               {"uninstall.sql", "6", ""},
                               {"views/v.sql", "7", ""}});
    EXPECT_EQ(files.version(), 2);
    ASSERT_TRUE(files.roles);
    EXPECT_TRUE(files.native);
    ASSERT_EQ(files.functions.size(), 3U);
    EXPECT_EQ(files.functions.back().path, "grants.sql");
    EXPECT_EQ(files.function_set_manifest,
              "roles.sql 5\nfunctions/claim/f.sql 1\nviews/v.sql 7\ngrants.sql 2\n");
}

TEST(schema_files, a_function_names_its_roles_or_is_internal) {
    const auto files =
        sorted({{"functions/claim/f.sql", "", "-- postrider: grant worker, viewer\n"},
                {"functions/claim/internal/g.sql", "", ""}});
    EXPECT_EQ(
        files.function_grants,
        R"(set local postrider.function_grants = '[{"function_name":"f","role_name":"worker"},)"
        R"({"function_name":"f","role_name":"viewer"}]')");
    EXPECT_THROW(sorted({{"functions/claim/f.sql", "", ""}}), error);
    EXPECT_THROW(sorted({{"functions/claim/internal/g.sql", "", "-- postrider: grant worker\n"}}),
                 error);
}

TEST(schema_files, migrations_are_numbered_without_a_gap) {
    EXPECT_THROW(sorted({{"migrations/0002_b.sql", "", ""}}), error);
    EXPECT_THROW(sorted({{"migrations/0001_a.sql", "", ""}, {"migrations/0001_b.sql", "", ""}}),
                 error);
    EXPECT_THROW(sorted({{"migrations/first.sql", "", ""}}), error);
}

TEST(schema_files, the_embedded_files_are_in_order) {
    const schema_files files(embedded_files());
    EXPECT_GE(files.version(), 1);
    EXPECT_FALSE(files.functions.empty());
}

}  // namespace
}  // namespace postrider::migrate
