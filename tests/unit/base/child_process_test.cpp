#include "base/child_process.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>

#include "base/descriptor.hpp"

namespace postrider {
namespace {

std::string output_of(spawn_options options) {
    auto output = make_pipe();
    options.output = output.write.get();
    child_process child(options);
    output.write.close();
    std::string text;
    std::array<char, 4096> buffer{};
    for (auto count = ::read(output.read.get(), buffer.data(), buffer.size()); count > 0;
         count = ::read(output.read.get(), buffer.data(), buffer.size())) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    EXPECT_EQ(child.wait(), 0);
    return text;
}

spawn_options shell(const std::string& command) {
    return {.arguments = {"/bin/sh", "-c", command}};
}

TEST(child_process, a_program_without_a_slash_is_searched_in_path) {
    EXPECT_EQ(output_of({.arguments = {"echo", "a", "b c"}}), "a b c\n");
}

TEST(child_process, a_program_that_cannot_run_is_reported_with_its_errno) {
    try {
        spawn({.arguments = {"/no/such/program"}});
        FAIL();
    } catch (const exec_error& problem) {
        EXPECT_EQ(problem.code().value(), ENOENT);
        EXPECT_STREQ(problem.what(), "/no/such/program: No such file or directory");
    }
    EXPECT_THROW(spawn({.arguments = {"/etc/passwd"}}), exec_error);
    auto elsewhere = shell("true");
    elsewhere.directory = "/no/such/directory";
    EXPECT_THROW(spawn(elsewhere), exec_error);
}

TEST(child_process, the_environment_is_changed_or_replaced) {
    ::setenv("CHILD_PROCESS_TEST", "before", 1);
    auto asked = shell("echo $CHILD_PROCESS_TEST,$OTHER");
    EXPECT_EQ(output_of(asked), "before,\n");
    asked.environment = environment_with({{"CHILD_PROCESS_TEST", ""}, {"OTHER", "x"}});
    EXPECT_EQ(output_of(asked), ",x\n");
    asked.environment = std::vector<std::string>{"OTHER=y"};
    EXPECT_EQ(output_of(asked), ",y\n");
}

TEST(child_process, it_runs_in_a_directory_and_in_its_own_process_group) {
    auto asked = shell("pwd; ps -o pgid= -p $$ | tr -d ' '; echo $$");
    asked.directory = "/usr";
    asked.process_group = true;
    const auto said = output_of(asked);
    const auto first = said.find('\n');
    const auto second = said.find('\n', first + 1);
    EXPECT_EQ(said.substr(0, first), "/usr");
    EXPECT_EQ(said.substr(first + 1, second - first), said.substr(second + 1));
}

TEST(child_process, only_the_standard_descriptors_are_inherited_on_request) {
    const descriptor extra(::open("/dev/null", O_RDONLY));  // without CLOEXEC
    auto asked = shell("test -e /proc/$$/fd/" + std::to_string(extra.get()) + "; echo $?");
    EXPECT_EQ(output_of(asked), "0\n");
    asked.close_descriptors = true;
    EXPECT_EQ(output_of(asked), "1\n");
}

TEST(child_process, ignored_signals_are_restored_on_request) {
    auto* const before = std::signal(SIGTERM, SIG_IGN);
    auto asked = shell("kill -TERM $$; exit 3");
    EXPECT_EQ(child_process(asked).wait(), 3);
    asked.restore_ignored_signals = true;
    EXPECT_EQ(child_process(asked).wait(), 128 + SIGTERM);
    std::signal(SIGTERM, before);
}

TEST(child_process, the_end_is_seen_once_and_the_destructor_kills) {
    pid_t id = 0;
    {
        child_process child(shell("exec sleep 60"));
        id = child.id();
        EXPECT_EQ(child.ended(), std::nullopt);
        EXPECT_EQ(child.wait_for(std::chrono::milliseconds(20)), std::nullopt);
    }
    EXPECT_EQ(::kill(id, 0), -1);
    child_process child(shell("exec sleep 60"));
    child.signal(SIGKILL);
    EXPECT_EQ(child.wait(), 128 + SIGKILL);
    EXPECT_EQ(child.wait(), 128 + SIGKILL);
    child.signal(SIGKILL);
}

}  // namespace
}  // namespace postrider
