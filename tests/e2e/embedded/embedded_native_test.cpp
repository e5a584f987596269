#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "e2e/embedded/embedded_fixture.hpp"
#include "support/native_library.hpp"

namespace postrider::test {
namespace {

namespace fs = std::filesystem;

/// A copy of the program in a folder of its own, with or without the library beside it.
class embedded_native_test : public embedded_test {
  protected:
    void SetUp() override {
        fs::create_directories(program_.parent_path());
        fs::create_directories(library_.parent_path());
        std::error_code elsewhere;
        fs::create_hard_link(POSTRIDER_PROGRAM, program_, elsewhere);
        if (elsewhere) {
            fs::copy_file(POSTRIDER_PROGRAM, program_);
        }
    }
    void install(const std::string& more = {}) const {
        fs::remove(library_);
        std::ofstream(library_, std::ios::binary) << content(native_library()) << more;
    }
    std::string told(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {program_.string(), "--no-fsync"});
        const auto outcome = run(std::move(arguments), postrider_.variables());
        EXPECT_EQ(outcome.status, 0) << outcome.output;
        return outcome.output;
    }
    std::string native() const {
        told({"migrate", "up"});
        const auto status = told({"migrate", "status"});
        return status.substr(status.find("native"));
    }
    std::string asked(const std::string& sql) const { return told({"psql", "-X", "-Atc", sql}); }

    fs::path program_ = postrider_.home() / "prefix" / "bin" / "postrider";
    fs::path library_ =
        postrider_.home() / "prefix" / "lib" / "postrider" / "15" / "postrider_native.so";
};

TEST_F(embedded_native_test, with_the_library_beside_the_program_claims_are_native) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    install();
    EXPECT_EQ(native(), "native   on\n");
    struct stat seen {};
    ASSERT_EQ(::stat((cluster() / "postrider_native.so").c_str(), &seen), 0);
    EXPECT_EQ(seen.st_mode & 0777U, 0600U);
    struct stat folder {};
    ASSERT_EQ(::stat(cluster().c_str(), &folder), 0);
    EXPECT_EQ(seen.st_uid, folder.st_uid);
    EXPECT_EQ(folder.st_mode & 0777U, 0700U);
}

TEST_F(embedded_native_test, without_it_they_are_not_and_nothing_is_set) {
    EXPECT_EQ(native(), "native   off\n");
    EXPECT_EQ(asked("select current_setting('postrider.native', true) is null"), "t\n");
    EXPECT_EQ(asked("show dynamic_library_path"), "$libdir\n");
}

TEST_F(embedded_native_test, when_the_library_goes_claims_go_back_to_sql) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    install();
    EXPECT_EQ(native(), "native   on\n");
    fs::remove(library_);
    EXPECT_EQ(native(), "native   off\n");
}

TEST_F(embedded_native_test, an_upgrade_brings_the_new_library_and_leaves_a_running_server_alone) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    install();
    const auto placed = cluster() / "postrider_native.so";
    process running({program_.string(), "--no-fsync", "up"}, postrider_.variables());
    running.wait_for_line("ready");
    struct stat before {};
    ASSERT_EQ(::stat(placed.c_str(), &before), 0);
    // A process that has the old file open still sees its content.
    std::ifstream mapped(placed, std::ios::binary);
    install("upgraded");
    EXPECT_EQ(native(), "native   on\n");
    EXPECT_EQ(content(placed), content(native_library()));
    running.kill(SIGTERM);
    EXPECT_EQ(running.wait(), 0) << running.output();
    EXPECT_EQ(native(), "native   on\n");
    EXPECT_EQ(content(placed), content(library_));
    const std::string old(std::istreambuf_iterator<char>(mapped), {});
    EXPECT_EQ(old, content(native_library()));
    struct stat after {};
    ASSERT_EQ(::stat(placed.c_str(), &after), 0);
    EXPECT_NE(after.st_ino, before.st_ino);
}

TEST_F(embedded_native_test, any_name_of_the_data_directory_will_do) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    install();
    for (const auto* name : {"it's a \"place\" with \\ and $libdir", "a,b", "ünï"}) {
        postrider_.set("POSTRIDER_DATA_DIR", (postrider_.home() / name).string());
        EXPECT_EQ(native(), "native   on\n") << name;
    }
    // The server would read it as two folders.
    postrider_.set("POSTRIDER_DATA_DIR", (postrider_.home() / "a:b").string());
    EXPECT_EQ(native(), "native   off\n");
}

TEST_F(embedded_native_test, a_setting_of_the_user_wins) {
    POSTRIDER_NEEDS_NATIVE_LIBRARY();
    install();
    EXPECT_EQ(native(), "native   on\n");
    asked("alter system set postrider.native = off");
    EXPECT_EQ(native(), "native   off\n");
}

TEST_F(embedded_native_test, a_server_may_be_started_without_it) {
    embedded::server plain({.data_dir = postrider_.data_dir(), .fsync = false, .native = false});
    plain.start();
    EXPECT_FALSE(fs::exists(cluster() / "postrider_native.so"));
    plain.stop();
}

}  // namespace
}  // namespace postrider::test
