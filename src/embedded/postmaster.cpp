#include "embedded/postmaster.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace postrider::embedded {
namespace fs = std::filesystem;

namespace {

std::optional<pid_t> recorded_process(const fs::path& cluster) {
    pid_t process = 0;
    if (!(std::ifstream(cluster / "postmaster.pid") >> process) || process <= 0) {
        return std::nullopt;
    }
    return process;
}

enum class identity { postmaster, stranger, unknown };

// The working directory of a postmaster is its data directory, unlike that of another process with
// a reused id.
identity identify(pid_t process, const fs::path& cluster) {
    std::error_code problem;
    const auto directory =
        fs::read_symlink(fs::path("/proc") / std::to_string(process) / "cwd", problem);
    if (problem) {
        return identity::unknown;
    }
    const bool same = fs::equivalent(directory, cluster, problem);
    return same && !problem ? identity::postmaster : identity::stranger;
}

}  // namespace

bool serves(pid_t process, const fs::path& cluster) {
    return identify(process, cluster) == identity::postmaster;
}

std::optional<pid_t> find_postmaster(const fs::path& cluster) {
    const auto process = recorded_process(cluster);
    return process && serves(*process, cluster) ? process : std::nullopt;
}

bool names_a_stranger(const fs::path& cluster) {
    const auto process = recorded_process(cluster);
    return process && identify(*process, cluster) == identity::stranger;
}

fs::path recorded_sockets(const fs::path& cluster) {
    // Number, data directory, time of the start, port, socket directory.
    constexpr int wanted = 5;
    std::ifstream file(cluster / "postmaster.pid");
    std::string line;
    for (int number = 1; number <= wanted; ++number) {
        // A line that is still being written has no end yet.
        if (!std::getline(file, line) || file.eof()) {
            return {};
        }
    }
    return line;
}

// The server's user may write to the folder of the log, and the text may be shown by root: a link
// there would lead root to any file.
std::string tail_of(const fs::path& log) {
    constexpr off_t longest = 2000;
    const int file = ::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return {};
    }
    std::string text(static_cast<std::size_t>(longest), '\0');
    const auto size = ::lseek(file, 0, SEEK_END);
    const auto got = ::pread(file, text.data(), text.size(), std::max<off_t>(0, size - longest));
    ::close(file);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    if (text.size() == static_cast<std::size_t>(longest)) {
        text.erase(0, text.find('\n') + 1);
    }
    return text;
}

}  // namespace postrider::embedded
