#include "embedded/binaries.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <postrider/error.hpp>
#include <sstream>
#include <vector>

#include "embedded/run_command.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

// Overridable for tests of a machine without PostgreSQL.
fs::path packaged_root() {
    const char* root = std::getenv("POSTRIDER_POSTGRESQL_ROOT");
    return root == nullptr || *root == '\0' ? "/usr/lib/postgresql" : root;
}

bool is_complete(const fs::path& directory) {
    static constexpr std::array names{"postgres", "initdb", "pg_ctl"};
    return std::ranges::all_of(
        names, [&](const char* name) { return ::access((directory / name).c_str(), X_OK) == 0; });
}

// "postgres (PostgreSQL) 15.19 (Debian 15.19-0+deb12u1)"
int major_version_of(const fs::path& directory, const stop_check& stop) {
    const auto outcome =
        run_command({(directory / "postgres").string(), "--version"}, {}, {}, stop);
    throw_if_stopped(stop);  // then missing output does not mean a broken program
    const auto mark = outcome.output.find(") ");
    if (!outcome.succeeded() || mark == std::string::npos) {
        return 0;
    }
    int version = 0;
    const char* digits = outcome.output.data() + mark + 2;
    std::from_chars(digits, outcome.output.data() + outcome.output.size(), version);
    return version;
}

std::vector<fs::path> search_path() {
    std::vector<fs::path> directories;
    const char* path = std::getenv("PATH");
    std::istringstream parts(path == nullptr ? "" : path);
    for (std::string part; std::getline(parts, part, ':');) {
        if (!part.empty()) {
            directories.emplace_back(part);
        }
    }
    return directories;
}

std::vector<fs::path> packaged_directories() {
    std::vector<std::pair<int, fs::path>> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(packaged_root(), ignored)) {
        const auto name = entry.path().filename().string();
        int version = 0;
        std::from_chars(name.data(), name.data() + name.size(), version);
        found.emplace_back(version, entry.path() / "bin");
    }
    std::ranges::sort(found, std::ranges::greater{}, &std::pair<int, fs::path>::first);
    std::vector<fs::path> directories;
    directories.reserve(found.size());
    for (auto& [version, directory] : found) {
        directories.push_back(std::move(directory));
    }
    return directories;
}

[[noreturn]] void throw_missing(const std::string& where, std::optional<int> wanted_major) {
    const auto version = wanted_major ? " " + std::to_string(*wanted_major) : std::string{};
    const auto package =
        wanted_major ? "postgresql-" + std::to_string(*wanted_major) : std::string("postgresql");
    throw error(errc::server_binaries_missing,
                "no PostgreSQL" + version + " server (postgres, initdb, pg_ctl) in " + where +
                    ": run `apt-get install " + package +
                    "`, or name a database of your own with --database");
}

}  // namespace

server_binaries find_binaries(const fs::path& configured, std::optional<int> wanted_major,
                              const stop_check& stop) {
    std::vector<fs::path> candidates;
    std::string where = "$PATH or " + packaged_root().string();
    if (!configured.empty()) {
        candidates.push_back(configured);
        where = configured.string();
    } else {
        candidates = search_path();
        std::ranges::move(packaged_directories(), std::back_inserter(candidates));
    }
    for (const auto& directory : candidates) {
        if (!is_complete(directory)) {
            continue;
        }
        const int version = major_version_of(directory, stop);
        if (version != 0 && (!wanted_major || *wanted_major == version)) {
            return {directory, version};
        }
    }
    throw_missing(where, wanted_major);
}

}  // namespace postrider::embedded
