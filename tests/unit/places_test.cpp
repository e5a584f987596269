#include "embedded/places.hpp"

#include <gtest/gtest.h>

#include <string>

namespace postrider::embedded {
namespace {

TEST(places, everything_lies_in_the_data_directory) {
    const auto where = places_in("/srv/data");
    EXPECT_EQ(where.cluster, "/srv/data/cluster");
    EXPECT_EQ(where.sockets, "/srv/data/run");
}

TEST(places, a_path_too_long_for_a_socket_gets_a_short_one_elsewhere) {
    const auto where = places_in("/srv/" + std::string(120, 'x'));
    EXPECT_LE((where.sockets / ".s.PGSQL.5432").string().size(), 107U);
    EXPECT_EQ(where.sockets, places_in("/srv/" + std::string(120, 'x')).sockets);
    EXPECT_NE(where.sockets, places_in("/srv/" + std::string(120, 'y')).sockets);
}

}  // namespace
}  // namespace postrider::embedded
