#include "embedded/files/data_layout.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <postrider/error.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/encoding/hex.hpp"
#include "embedded/files/safe_path.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

fs::path environment_path(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool fits_a_socket(const fs::path& directory) {
    return (directory / ".s.PGSQL.5432").string().size() < sizeof(sockaddr_un::sun_path);
}

// A short name that depends on the data directory only.
std::string short_name(std::string_view path) { return hex(fnv1a(path)).substr(4); }

// libpq and the server read a comma as the end of one directory and the beginning of the next.
bool is_plain(const fs::path& directory) {
    return directory.string().find(',') == std::string::npos;
}

// A socket address has at most 107 bytes. The path must not depend on the environment: commands of
// another login have to find the same server.
fs::path socket_directory(const fs::path& root) {
    if (auto directory = root / "run"; fits_a_socket(directory) && is_plain(directory)) {
        return directory;
    }
    return fs::path("/tmp") /
           ("postrider-" + std::to_string(::geteuid()) + "-" + short_name(root.string()));
}

[[noreturn]] void reject_directory(const fs::path& directory, const std::string& why) {
    throw error(errc::server_start_failed,
                directory.string() + " " + why + ": choose another place with --data-dir");
}

}  // namespace

fs::path default_data_dir() {
    if (auto chosen = environment_path("POSTRIDER_DATA_DIR"); !chosen.empty()) {
        return chosen;
    }
    if (::geteuid() == 0) {
        return "/var/lib/postrider";
    }
    if (auto data = environment_path("XDG_DATA_HOME"); !data.empty()) {
        return data / "postrider";
    }
    const auto home = environment_path("HOME");
    if (home.empty()) {
        throw error(errc::config_invalid,
                    "no place for the data: set POSTRIDER_DATA_DIR or HOME, or use --data-dir");
    }
    return home / ".local/share/postrider";
}

data_layout layout_in(const fs::path& data_dir) {
    auto root = fs::absolute(data_dir).lexically_normal();
    if (!root.has_filename()) {
        root = root.parent_path();  // it was written with a slash at its end
    }
    // PostgreSQL's files, such as postmaster.pid, have one value per line.
    if (root.string().find('\n') != std::string::npos) {
        reject_directory(root, "has a line break in its name");
    }
    return {root,
            root / "cluster",
            socket_directory(root),
            root / "log" / "server.log",
            root / "start.lock",
            root / "owner.lock"};
}

void create_root(const data_layout& where, const std::optional<system_user>& user) {
    require_safe_path(where.root);
    std::error_code problem;
    std::vector<fs::path> missing;
    for (auto path = where.root; !fs::exists(path, problem) && path.has_relative_path();
         path = path.parent_path()) {
        missing.push_back(path);
    }
    fs::create_directories(where.root, problem);
    if (problem) {
        reject_directory(where.root, "cannot be created (" + problem.message() + ")");
    }
    // Root's server runs as another user, who must be able to enter all new directories, regardless
    // of the umask. Otherwise only the mode of the last one is set.
    if (!user && !missing.empty()) {
        missing.resize(1);
    }
    for (const auto& directory : missing) {
        if (::chmod(directory.c_str(), user ? 0755 : 0700) != 0) {
            throw std::system_error(errno, std::generic_category(), directory.string());
        }
    }
}

void create_private_directory(const fs::path& directory, const std::optional<system_user>& user) {
    const bool made = ::mkdir(directory.c_str(), 0700) == 0;
    if (!made && errno != EEXIST) {
        reject_directory(directory,
                         "cannot be created (" + std::generic_category().message(errno) + ")");
    }
    // It may be in /tmp, where any user could have created this name.
    const open_directory opened(directory);
    struct stat found {};
    const uid_t expected = user ? user->uid : ::geteuid();
    if (::fstat(opened.get(), &found) != 0 || found.st_uid != (made ? ::geteuid() : expected)) {
        reject_directory(directory, "exists and does not belong to the user that runs the server");
    }
    if ((made && user && ::fchown(opened.get(), user->uid, user->gid) != 0) ||
        ::fchmod(opened.get(), 0700) != 0) {
        throw std::system_error(errno, std::generic_category(), directory.string());
    }
}

void create_private_directories(const data_layout& where, const std::optional<system_user>& user) {
    create_private_directory(where.sockets, user);
    create_private_directory(where.log.parent_path(), user);
}

}  // namespace postrider::embedded
