// The environment of a private server must not affect who can connect to it, nor whether it works.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "e2e/embedded/embedded_fixture.hpp"

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
    EXPECT_NE(refused.output.find("free disk space"), std::string::npos) << refused.output;
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

TEST_F(embedded_places_test, network_connections_are_rejected) {
    make_stopped_server();
    std::ifstream rules(cluster() / "pg_hba.conf");
    for (std::string line; std::getline(rules, line);) {
        EXPECT_FALSE(line.starts_with("host") && line.find("reject") == std::string::npos) << line;
    }
}

TEST_F(embedded_places_test, libpq_variables_of_the_user_change_nothing) {
    make_stopped_server();
    for (const char* variable :
         {"PGHOSTADDR=127.0.0.1", "PGHOST=nowhere.invalid", "PGPORT=1", "PGUSER=none",
          "PGDATABASE=none", "PGSERVICE=none", "PGSERVICEFILE=/none", "PGOPTIONS=-c nonsense=1",
          "PGREQUIREPEER=none", "PGCHANNELBINDING=require", "PGSSLMODE=nonsense",
          "PGTARGETSESSIONATTRS=standby", "PGGSSENCMODE=require", "PGTZ=Nowhere/None",
          "PGCLIENTENCODING=nonsense", "PGDATESTYLE=nonsense"}) {
        const std::string text = variable;
        postrider_.set(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
    }
    const auto status = postrider_.run({"migrate", "status"});
    EXPECT_EQ(status.status, 0) << status.output;
    EXPECT_EQ(select("select current_database() || ' ' || current_user"), "postrider postrider\n");
}

TEST_F(embedded_places_test, commands_of_work_get_the_libpq_variables_of_the_user_on_request) {
    make_stopped_server();
    postrider_.set("PGHOSTADDR", "192.0.2.1");
    EXPECT_EQ(postrider_.run({"publish", "a.b"}).status, 0);
    const auto done =
        postrider_.run({"work", "--consumer", "c", "--on", "*", "--from-beginning", "--once",
                        "--pass-database", "--exec", "echo \"address $PGHOSTADDR\""});
    EXPECT_NE(done.output.find("address 192.0.2.1"), std::string::npos) << done.output;
}

TEST_F(embedded_places_test, a_long_path_is_found_from_another_login) {
    const auto long_path = postrider_.home() / std::string(120, 'x');
    postrider_.set("POSTRIDER_DATA_DIR", long_path.string());
    const auto running = up();
    const auto other = postrider_.home() / "runtime";
    fs::create_directories(other);
    postrider_.set("XDG_RUNTIME_DIR", other.string());
    EXPECT_EQ(select("select 1"), "1\n");
    running->kill(SIGTERM);
    EXPECT_EQ(running->wait(), 0);
}

TEST_F(embedded_places_test, a_running_server_is_found_where_it_says_it_listens) {
    make_stopped_server();
    // As another release, or another user, may have chosen the place.
    const auto elsewhere = postrider_.home() / "elsewhere";
    fs::create_directories(elsewhere);
    fs::permissions(elsewhere, fs::perms::all);
    const auto user = embedded::unprivileged_user();
    const auto pg_ctl = embedded::find_binaries({}).directory / "pg_ctl";
    const auto started = embedded::run_command(
        {pg_ctl.string(), "start", "-D", cluster().string(), "-l",
         (postrider_.data_dir() / "log" / "server.log").string(), "-w", "-o",
         "-c listen_addresses= -c unix_socket_directories=" + elsewhere.string()},
        user, postrider_.data_dir() / "log");
    ASSERT_TRUE(started.succeeded()) << started.output;
    EXPECT_EQ(select("show unix_socket_directories"), elsewhere.string() + "\n");
}

TEST_F(embedded_places_test, strange_characters_in_the_path) {
    for (const char* name : {"a,b$(touch oops)c\"d", "a'b\\c d`e%s;#f"}) {
        const auto place = postrider_.home() / name;
        postrider_.set("POSTRIDER_DATA_DIR", place.string());
        const auto outcome = postrider_.run({"--no-fsync", "migrate", "up"});
        EXPECT_EQ(outcome.status, 0) << outcome.output;
        EXPECT_EQ(select("show data_directory"), (place / "cluster").string() + "\n");
        EXPECT_FALSE(fs::exists(place / "log" / "oops"));
        EXPECT_TRUE(fs::exists(place / "log" / "server.log"));
    }
}

TEST_F(embedded_places_test, a_line_break_in_the_path_is_refused) {
    postrider_.set("POSTRIDER_DATA_DIR", (postrider_.home() / "a\nb").string());
    const auto outcome = postrider_.run({"migrate", "status"});
    EXPECT_EQ(outcome.status, 69);
    EXPECT_NE(outcome.output.find("line break"), std::string::npos) << outcome.output;
}

TEST_F(embedded_places_test, as_root_with_a_strict_umask) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only the server of root runs as another user";
    }
    postrider_.set("POSTRIDER_DATA_DIR", (postrider_.home() / "x1" / "x2" / "d").string());
    const auto before = ::umask(077);
    const auto outcome = postrider_.run({"--no-fsync", "migrate", "up"});
    ::umask(before);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
}

}  // namespace
}  // namespace postrider::test
