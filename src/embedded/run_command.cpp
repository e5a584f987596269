#include "embedded/run_command.hpp"

#include <poll.h>
#include <pwd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <postrider/error.hpp>
#include <system_error>

#include "base/descriptor.hpp"

namespace postrider::embedded {
namespace {

// Sends one SIGINT when `stop` returns true.
void watch(int source, const child_process& child, stop_check& stop) {
    constexpr int between_checks_ms = 50;
    pollfd waiting{source, POLLIN, 0};
    while (stop && ::poll(&waiting, 1, between_checks_ms) <= 0) {
        if (stop()) {
            child.signal(SIGINT);
            stop = nullptr;
        }
    }
}

std::string read_all(int source, const child_process& child, stop_check stop) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        watch(source, child, stop);
        const auto count = ::read(source, buffer.data(), buffer.size());
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (count == 0) {
            return text;
        } else if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "read");
        }
    }
}

}  // namespace

std::optional<system_user> unprivileged_user() {
    if (::geteuid() != 0) {
        return std::nullopt;
    }
    for (const char* name : {"postgres", "nobody"}) {
        if (const auto* entry = ::getpwnam(name)) {
            return system_user{name, entry->pw_uid, entry->pw_gid};
        }
    }
    throw error(errc::server_start_failed,
                "PostgreSQL does not run as root and neither user 'postgres' nor 'nobody' exists: "
                "create one, or run as another user");
}

command_outcome run_command(const std::vector<std::string>& arguments,
                            const std::optional<system_user>& user,
                            const std::filesystem::path& directory, const stop_check& stop) {
    const auto nothing = null_device();
    auto output = make_pipe();
    try {
        child_process child({.arguments = arguments,
                             .input = nothing.get(),
                             .output = output.write.get(),
                             .errors = output.write.get(),
                             .directory = directory.string(),
                             .user = user});
        output.write.close();
        auto text = read_all(output.read.get(), child, stop);
        return {child.wait(), std::move(text)};
    } catch (const exec_error& problem) {
        return {126, problem.what()};
    }
}

}  // namespace postrider::embedded
