// What surrounds a private server must not decide who reaches it, nor whether it works.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "e2e/embedded_fixture.hpp"

namespace postrider::test {
namespace {

using embedded_places_test = embedded_test;
namespace fs = std::filesystem;

/// A file system without room, over a directory.
class full_disk {
  public:
    explicit full_disk(const fs::path& place) : place_(place) {
        fs::create_directories(place);
        mounted_ = ::mount("tmpfs", place.c_str(), "tmpfs", 0, "size=128m,mode=0755") == 0;
    }
    full_disk(const full_disk&) = delete;
    full_disk& operator=(const full_disk&) = delete;
    ~full_disk() {
        if (mounted_) {
            ::umount2(place_.c_str(), MNT_DETACH);
        }
    }
    bool mounted() const { return mounted_; }
    void fill() const {
        std::ofstream ballast(place_ / "ballast");
        for (const std::string piece(4096, 'x'); ballast.write(piece.data(), 4096).flush();) {
        }
    }
    void make_room() const { fs::remove(place_ / "ballast"); }

  private:
    fs::path place_;
    bool mounted_ = false;
};

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(embedded_places_test, a_full_disk_is_told_and_leaves_the_settings_whole) {
    const full_disk disk(postrider_.data_dir());
    if (!disk.mounted()) {
        GTEST_SKIP() << "only root may mount a small file system";
    }
    make_stopped_server();
    const auto settings = content(cluster() / "postrider.conf");
    disk.fill();
    // With fsync on, the settings are others than those that lie there.
    const auto refused = postrider_.run({"migrate", "status"});
    EXPECT_EQ(refused.status, 69) << refused.output;
    EXPECT_NE(refused.output.find("postrider.conf"), std::string::npos) << refused.output;
    EXPECT_NE(refused.output.find("make room"), std::string::npos) << refused.output;
    EXPECT_EQ(content(cluster() / "postrider.conf"), settings);
    EXPECT_EQ(postmaster(), 0);
    disk.make_room();
    EXPECT_EQ(postrider_.run({"migrate", "status"}).status, 0);
}

TEST_F(embedded_places_test, no_file_can_open_the_server_to_the_network) {
    make_stopped_server();
    std::ofstream(cluster() / "postgresql.conf").close();
    std::ofstream(cluster() / "postgresql.auto.conf") << "listen_addresses = '*'\n";
    const auto running = up();
    EXPECT_EQ(select("show listen_addresses"), "\n");
    EXPECT_EQ(select("show unix_socket_directories"),
              (postrider_.data_dir() / "run").string() + "\n");
}

TEST_F(embedded_places_test, whoever_comes_through_the_network_is_rejected) {
    make_stopped_server();
    std::ifstream rules(cluster() / "pg_hba.conf");
    for (std::string line; std::getline(rules, line);) {
        EXPECT_FALSE(line.starts_with("host") && line.find("reject") == std::string::npos) << line;
    }
}

}  // namespace
}  // namespace postrider::test
