#include "embedded/files/data_layout.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace postrider::embedded {
namespace {

TEST(data_layout, everything_lies_in_the_data_directory) {
    const auto where = layout_in("/srv/data");
    EXPECT_EQ(where.cluster, "/srv/data/cluster");
    EXPECT_EQ(where.sockets, "/srv/data/run");
}

TEST(data_layout, a_path_too_long_for_a_socket_gets_a_short_one_elsewhere) {
    const auto where = layout_in("/srv/" + std::string(120, 'x'));
    EXPECT_LE((where.sockets / ".s.PGSQL.5432").string().size(), 107U);
    EXPECT_EQ(where.sockets, layout_in("/srv/" + std::string(120, 'x')).sockets);
    EXPECT_NE(where.sockets, layout_in("/srv/" + std::string(120, 'y')).sockets);
}

TEST(data_layout, a_comma_which_would_end_the_name_gets_a_place_elsewhere) {
    EXPECT_EQ(layout_in("/srv/a,b").sockets.string().find(','), std::string::npos);
    EXPECT_NE(layout_in("/srv/a,b").sockets, layout_in("/srv/a,c").sockets);
}

TEST(data_layout, the_environment_does_not_decide_where_a_server_is_found) {
    const auto before = layout_in("/srv/" + std::string(120, 'x')).sockets;
    ::setenv("XDG_RUNTIME_DIR", "/run/user/1", 1);
    EXPECT_EQ(layout_in("/srv/" + std::string(120, 'x')).sockets, before);
    ::unsetenv("XDG_RUNTIME_DIR");
}

TEST(data_layout, a_slash_at_the_end_makes_no_other_place) {
    EXPECT_EQ(layout_in("/srv/data/").root, layout_in("/srv/data").root);
}

}  // namespace
}  // namespace postrider::embedded
