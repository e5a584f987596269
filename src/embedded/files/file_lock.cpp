#include "embedded/files/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "embedded/wait_limits.hpp"

namespace postrider::embedded {
namespace {

[[noreturn]] void throw_for(const std::filesystem::path& file) {
    throw std::system_error(errno, std::generic_category(), "lock " + file.string());
}

int open_file(const std::filesystem::path& file) {
    // Close-on-exec: a server that inherited the descriptor would hold the lock for ever.
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) {
        throw_for(file);
    }
    return descriptor;
}

}  // namespace

file_lock file_lock::wait_for(const std::filesystem::path& file, const stop_check& stop) {
    // Polls, because a stop request could not interrupt a blocking flock(2).
    while (true) {
        if (auto lock = try_take(file); lock.held()) {
            return lock;
        }
        throw_if_stopped(stop);
        std::this_thread::sleep_for(pause);
    }
}

file_lock file_lock::try_take(const std::filesystem::path& file) {
    file_lock lock;
    lock.descriptor_ = open_file(file);
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            throw_for(file);
        }
        lock.release();
    }
    return lock;
}

void file_lock::release() {
    if (descriptor_ >= 0) {
        ::close(std::exchange(descriptor_, -1));
    }
}

file_lock::~file_lock() { release(); }

}  // namespace postrider::embedded
