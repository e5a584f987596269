#include "embedded/files/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <postrider/error.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "embedded/files/safe_path.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& file) {
    throw error(errc::server_start_failed,
                file.string() + " cannot be written (" + std::generic_category().message(errno) +
                    "): free disk space or change its permissions, and try again");
}

/// Checks the result of every system call, including close().
class output_file {
  public:
    // The directory belongs to the server's user, who must not redirect root by a link.
    output_file(const open_directory& within, fs::path file, int flags) : file_(std::move(file)) {
        descriptor_ = ::openat(within.get(), file_.filename().c_str(),
                               O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600);
        if (descriptor_ < 0) {
            refuse(file_);
        }
    }
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }

    void require_owner(uid_t owner) const {
        struct stat found {};
        if (::fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != owner ||
            found.st_nlink != 1) {
            throw error(errc::server_start_failed,
                        file_.string() + " is not a regular file of the user that runs the server");
        }
    }
    void write(std::string_view text) const {
        while (!text.empty()) {
            const auto count = ::write(descriptor_, text.data(), text.size());
            if (count >= 0) {
                text.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                refuse(file_);
            }
        }
    }
    void give_to(const system_user& owner) const {
        if (::fchown(descriptor_, owner.uid, owner.gid) != 0) {
            refuse(file_);
        }
    }
    void finish(bool sync) {
        if ((sync && ::fsync(descriptor_) != 0) || ::close(std::exchange(descriptor_, -1)) != 0) {
            refuse(file_);
        }
    }

  private:
    fs::path file_;
    int descriptor_ = -1;
};

bool holds(const open_directory& within, const fs::path& name, const std::string& text) {
    const int file =
        ::openat(within.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    std::string content(text.size() + 1, '\0');
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0 && size < content.size();) {
        got = ::read(file, content.data() + size, content.size() - size);
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    ::close(file);
    content.resize(size);
    return content == text;
}

}  // namespace

void replace_file(const fs::path& file, const std::string& text,
                  const std::optional<system_user>& owner, bool sync) {
    const open_directory within(file.parent_path());
    if (holds(within, file.filename(), text)) {
        return;
    }
    const fs::path fresh = file.string() + ".new";
    const auto name = fresh.filename();
    ::unlinkat(within.get(), name.c_str(), 0);  // of a start that was cut short
    try {
        output_file made(within, fresh, O_CREAT | O_EXCL);
        made.write(text);
        if (owner) {
            made.give_to(*owner);
        }
        made.finish(sync);
        if (::renameat(within.get(), name.c_str(), within.get(), file.filename().c_str()) != 0) {
            refuse(file);
        }
    } catch (...) {
        ::unlinkat(within.get(), name.c_str(), 0);
        throw;
    }
}

void append_to_file(const fs::path& file, const std::string& text,
                    const std::optional<system_user>& owner, bool sync) {
    const auto user = owner ? std::optional(owner->uid) : std::nullopt;
    const open_directory within(file.parent_path(), user);
    output_file longer(within, file, O_APPEND);
    if (user) {
        longer.require_owner(*user);
    }
    longer.write(text);
    longer.finish(sync);
}

}  // namespace postrider::embedded
