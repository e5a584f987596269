#include "embedded/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <postrider/error.hpp>
#include <string_view>
#include <system_error>
#include <utility>

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& file) {
    throw error(errc::server_start_failed,
                file.string() + " cannot be written (" + std::generic_category().message(errno) +
                    "): make room there, or see who may write to it, and try again");
}

/// Every step that the kernel may refuse is asked for its outcome, closing included.
class output_file {
  public:
    output_file(fs::path file, int flags) : file_(std::move(file)) {
        // The directory belongs to the server's user, who must not lead root elsewhere by a link.
        descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
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

bool holds(const fs::path& file, const std::string& text) {
    std::ifstream stream(file, std::ios::binary);
    return stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text;
}

}  // namespace

void replace_file(const fs::path& file, const std::string& text,
                  const std::optional<system_user>& owner, bool sync) {
    if (holds(file, text)) {
        return;
    }
    const fs::path fresh = file.string() + ".new";
    std::error_code problem;
    fs::remove_all(fresh, problem);  // of a start that was cut short
    try {
        output_file made(fresh, O_CREAT | O_EXCL);
        made.write(text);
        if (owner) {
            made.give_to(*owner);
        }
        made.finish(sync);
        if (::rename(fresh.c_str(), file.c_str()) != 0) {
            refuse(file);
        }
    } catch (...) {
        fs::remove(fresh, problem);
        throw;
    }
}

void append_to_file(const fs::path& file, const std::string& text, bool sync) {
    output_file longer(file, O_APPEND);
    longer.write(text);
    longer.finish(sync);
}

}  // namespace postrider::embedded
