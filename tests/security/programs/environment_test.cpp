// The machine around the program: other users' links, readable files, inherited variables.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <postrider/error.hpp>

#include "embedded/broker_process.hpp"
#include "embedded/files/safe_path.hpp"
#include "embedded/files/whole_file.hpp"
#include "support/process.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_database.hpp"

namespace postrider::test {
namespace {

namespace fs = std::filesystem;

class environment_test : public ::testing::Test {
  protected:
    static const passwd& other_user() { return *::getpwnam("nobody"); }
    static void give_away(const fs::path& path) {
        ASSERT_EQ(::lchown(path.c_str(), other_user().pw_uid, other_user().pw_gid), 0);
    }
    static std::string content(const fs::path& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    finished_process up(const fs::path& data) const {
        return run({POSTRIDER_PROGRAM, "--data-dir", data.string(), "stats"},
                   {{"POSTRIDER_DATABASE_URL", ""}, {"HOME", place_.path().string()}});
    }
    const scratch_directory place_;
};

TEST_F(environment_test, root_writes_nothing_below_a_directory_that_belongs_to_another_user) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "needs root";
    }
    const auto data = place_.path() / "data";
    const auto precious = place_.path() / "precious";
    fs::create_directory(precious);
    for (const auto* name : {"cluster", "log", "run", "start.lock", "owner.lock"}) {
        fs::remove_all(data);
        fs::create_directory(data);
        fs::create_symlink(precious / name, data / name);
        give_away(data);
        const auto ended = up(data);
        EXPECT_NE(ended.status, 0) << name;
        EXPECT_NE(ended.output.find("belongs to user id"), std::string::npos) << ended.output;
        EXPECT_TRUE(fs::is_empty(precious)) << name;
    }
}

TEST_F(environment_test, root_follows_no_link_in_the_place_of_the_cluster) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "needs root";
    }
    const auto data = place_.path() / "data";
    const auto precious = place_.path() / "precious";
    fs::create_directory(precious);
    std::ofstream(precious / "PG_VERSION") << "15\n";
    fs::create_directory(data);
    fs::create_symlink(precious, data / "cluster");
    const auto ended = up(data);
    EXPECT_NE(ended.status, 0);
    EXPECT_FALSE(fs::exists(precious / "postrider.conf")) << ended.output;
    // A lock that leads elsewhere is not created there.
    fs::remove(data / "cluster");
    fs::create_symlink(precious / "made", data / "start.lock");
    EXPECT_NE(up(data).status, 0);
    EXPECT_FALSE(fs::exists(precious / "made"));
}

TEST_F(environment_test, root_starts_no_broker_in_a_directory_that_belongs_to_another_user) {
    if (::geteuid() != 0 || ::access("/usr/sbin/nats-server", X_OK) != 0) {
        GTEST_SKIP() << "needs root and nats-server";
    }
    const auto theirs = place_.path() / "theirs";
    const auto precious = place_.path() / "precious";
    fs::create_directory(theirs);
    std::ofstream(precious) << "whole";
    fs::create_symlink(precious, theirs / "nats.conf");
    give_away(theirs);
    embedded::broker_process broker(embedded::broker_kind::nats, theirs);
    EXPECT_THROW(broker.start(), error);
    EXPECT_EQ(content(precious), "whole");
    EXPECT_FALSE(fs::exists(theirs / "log"));
}

TEST_F(environment_test, a_path_is_safe_for_root_when_only_root_can_change_where_it_leads) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "needs root";
    }
    using embedded::require_safe_path;
    const auto own = place_.path() / "own";
    fs::create_directories(own / "deep");
    require_safe_path(own / "deep" / "not yet there");
    fs::create_directory_symlink(own, place_.path() / "link");
    require_safe_path(place_.path() / "link" / "deep");
    fs::create_directory_symlink("own/../own", place_.path() / "relative");
    require_safe_path(place_.path() / "relative" / "deep");

    const auto theirs = place_.path() / "theirs";
    fs::create_directories(theirs / "deep");
    give_away(theirs);
    EXPECT_THROW(require_safe_path(theirs), error);
    EXPECT_THROW(require_safe_path(theirs / "deep"), error);
    fs::create_directory_symlink(theirs / "deep", own / "out");
    EXPECT_THROW(require_safe_path(own / "out" / "x"), error);
    fs::create_directory_symlink(own, place_.path() / "their link");
    give_away(place_.path() / "their link");
    EXPECT_THROW(require_safe_path(place_.path() / "their link" / "deep"), error);
    fs::create_directory_symlink("loop", place_.path() / "loop");
    EXPECT_THROW(require_safe_path(place_.path() / "loop" / "deep"), error);

    fs::create_directory(place_.path() / "open");
    ASSERT_EQ(::chmod((place_.path() / "open").c_str(), 0777), 0);
    EXPECT_THROW(require_safe_path(place_.path() / "open" / "x"), error);
    ASSERT_EQ(::chmod((place_.path() / "open").c_str(), 01777), 0);
    require_safe_path(place_.path() / "open" / "x");
}

TEST_F(environment_test, files_are_written_only_within_the_directory_that_was_opened) {
    const auto real = place_.path() / "real";
    fs::create_directory(real);
    fs::create_directory_symlink(real, place_.path() / "link");
    EXPECT_THROW(
        embedded::replace_file(place_.path() / "link" / "settings", "x", std::nullopt, false),
        error);
    EXPECT_TRUE(fs::is_empty(real));
    // A pipe in the place of the file does not make the writer wait.
    ASSERT_EQ(::mkfifo((real / "settings").c_str(), 0600), 0);
    embedded::replace_file(real / "settings", "x", std::nullopt, false);
    EXPECT_EQ(content(real / "settings"), "x");
    if (::geteuid() == 0) {
        const system_user nobody{"nobody", other_user().pw_uid, other_user().pw_gid};
        EXPECT_THROW(embedded::append_to_file(real / "settings", "y", nobody, false), error);
        EXPECT_EQ(content(real / "settings"), "x");
    }
}

TEST_F(environment_test, a_configuration_file_must_not_be_world_writable_or_large) {
    const auto file = place_.path() / "config.toml";
    std::ofstream(file) << "database = \"postgresql://u@127.0.0.1:1/x\"\n";
    const auto config = [&] {
        return run({POSTRIDER_PROGRAM, "--config", file.string(), "config"},
                   {{"POSTRIDER_DATABASE_URL", ""}});
    };
    ASSERT_EQ(::chmod(file.c_str(), 0622), 0);
    const auto refused = config();
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.output.find("chmod o-w"), std::string::npos) << refused.output;
    ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
    EXPECT_EQ(config().status, 0);
    std::ofstream(file, std::ios::app) << std::string(70000, 'x');
    EXPECT_NE(config().output.find("more than 64 KiB"), std::string::npos);
}

TEST_F(environment_test, a_configuration_file_with_a_password_must_not_be_world_readable) {
    const auto file = place_.path() / "config.toml";
    std::ofstream(file) << "database = \"postgresql://u:secret@127.0.0.1:1/x\"\n";
    const auto config = [&] {
        return run({POSTRIDER_PROGRAM, "--config", file.string(), "config"},
                   {{"POSTRIDER_DATABASE_URL", ""}});
    };
    ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
    const auto refused = config();
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.output.find("chmod o-rwx"), std::string::npos) << refused.output;
    EXPECT_EQ(refused.output.find("secret"), std::string::npos);
    for (const mode_t rights : {0600, 0640}) {
        ASSERT_EQ(::chmod(file.c_str(), rights), 0);
        EXPECT_EQ(config().status, 0) << rights;
    }
    std::ofstream(file) << "database = \"postgresql://u@127.0.0.1:1/x\"\n";
    ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
    EXPECT_EQ(config().status, 0);
}

class inheritance_test : public environment_test {
  protected:
    /// The output of a command that `work` ran.
    std::string inherited(std::vector<std::string> more, const std::string& command = "env") {
        database_.connect().exec("select postrider.publish('a.b', p_source => 's')");
        const auto seen = place_.path() / "seen";
        fs::remove(seen);
        std::vector<std::string> arguments{POSTRIDER_PROGRAM,
                                           "work",
                                           "--consumer",
                                           "c" + std::to_string(++consumers_),
                                           "--on",
                                           "*",
                                           "--from-beginning",
                                           "--once",
                                           "--exec",
                                           "{ " + command + "; } > " + seen.string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto ended = run(arguments, {{"POSTRIDER_DATABASE_URL", database_.conninfo()},
                                           {"PGPASSWORD", "secret1"},
                                           {"PGPASSFILE", "/secret2"},
                                           {"PGSERVICEFILE", "/secret3"},
                                           {"PGSSLKEY", "/secret4"},
                                           {"POSTRIDER_ALERT_WEBHOOK_TOKEN", "secret5"},
                                           {"POSTRIDER_RELAY_TO", "nats://secret6@broker"},
                                           {"POSTRIDER_WEBHOOK_SECRETS", "whsec_secret7"},
                                           {"HARMLESS", "kept"}});
        EXPECT_EQ(ended.status, 0) << ended.output;
        return content(seen);
    }
    test_database database_;
    int consumers_ = 0;
};

TEST_F(inheritance_test, a_command_of_work_does_not_inherit_the_way_to_the_database) {
    const auto seen = inherited({});
    EXPECT_NE(seen.find("HARMLESS=kept"), std::string::npos) << seen;
    EXPECT_NE(seen.find("POSTRIDER_EVENT_TYPE=a.b"), std::string::npos);
    EXPECT_EQ(seen.find("secret"), std::string::npos) << seen;
    EXPECT_EQ(seen.find("POSTRIDER_DATABASE_URL"), std::string::npos) << seen;
    EXPECT_EQ(seen.find("\nPG"), std::string::npos) << seen;
}

// A command runs as the worker's operating-system user, who may usually read /proc/<pid>/environ.
// Root may read everything, so the command gives up root's capabilities first.
TEST_F(inheritance_test, a_command_of_work_cannot_read_the_environment_of_the_worker) {
    const auto seen =
        inherited({},
                  "if [ \"$(id -u)\" = 0 ]; then drop='setpriv --bounding-set=-all "
                  "--inh-caps=-all'; fi; $drop cat /proc/$PPID/environ || echo refused");
    EXPECT_EQ(seen, "refused\n");
}

TEST_F(inheritance_test, a_command_of_work_inherits_the_way_to_the_database_when_asked_for) {
    const auto seen = inherited({"--pass-database"});
    EXPECT_NE(seen.find("POSTRIDER_DATABASE_URL="), std::string::npos) << seen;
    EXPECT_NE(seen.find("PGPASSWORD=secret1"), std::string::npos) << seen;
    EXPECT_EQ(seen.find("secret5"), std::string::npos) << seen;
}

}  // namespace
}  // namespace postrider::test
