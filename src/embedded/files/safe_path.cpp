#include "embedded/files/safe_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <postrider/error.hpp>
#include <string>
#include <system_error>

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void reject_path(const fs::path& path, const std::string& why) {
    throw error(errc::server_start_failed, path.string() + " " + why);
}

bool others_can_write(const struct stat& found) {
    const bool by_group = (found.st_mode & S_IWGRP) != 0 && found.st_gid != 0;
    const bool by_all = (found.st_mode & S_IWOTH) != 0;
    return (by_group || by_all) && (found.st_mode & S_ISVTX) == 0;
}

void require_roots(const fs::path& path, const struct stat& found) {
    constexpr auto advice =
        ": another user could redirect root; run as that user, change the owner, or choose "
        "another place with --data-dir";
    if (found.st_uid != 0) {
        reject_path(
            path, "belongs to user id " + std::to_string(found.st_uid) + ", not to root" + advice);
    }
    if (!S_ISLNK(found.st_mode) && others_can_write(found)) {
        reject_path(path, std::string("can be written by users other than root") + advice);
    }
}

}  // namespace

// From the top, one name after the other: entries of a directory that only root can change stay as
// they were checked.
void require_safe_path(const fs::path& path) {
    if (::geteuid() != 0) {
        return;
    }
    constexpr int links_max = 40;
    int links = 0;
    fs::path rest = fs::absolute(path).lexically_normal().relative_path();
    fs::path seen = "/";
    struct stat found {};
    while (!rest.empty()) {
        const auto name = *rest.begin();
        rest = rest.lexically_relative(name);
        if (rest == "." || rest == "./") {
            rest.clear();
        }
        if (name.empty() || name == ".") {
            continue;
        }
        const auto next = seen / name;
        if (::lstat(next.c_str(), &found) != 0) {
            if (errno == ENOENT) {
                return;  // root creates it
            }
            reject_path(next,
                        "cannot be inspected (" + std::generic_category().message(errno) + ")");
        }
        require_roots(next, found);
        if (!S_ISLNK(found.st_mode)) {
            seen = next;
            continue;
        }
        if (++links > links_max) {
            reject_path(next, "has too many symbolic links");
        }
        const auto target = fs::absolute(seen / fs::read_symlink(next)).lexically_normal();
        rest = rest.empty() ? target.relative_path() : target.relative_path() / rest;
        seen = "/";
    }
}

open_directory::open_directory(const fs::path& path, std::optional<uid_t> owner) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor_ < 0) {
        reject_path(path, "cannot be opened as a directory (" +
                              std::generic_category().message(errno) +
                              "); links are not followed there");
    }
    struct stat found {};
    if (owner && (::fstat(descriptor_, &found) != 0 || found.st_uid != *owner)) {
        ::close(descriptor_);
        reject_path(path,
                    "does not belong to the user that runs the server: choose another place with "
                    "--data-dir");
    }
}

open_directory::~open_directory() { ::close(descriptor_); }

}  // namespace postrider::embedded
