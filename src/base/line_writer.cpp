#include "base/line_writer.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace postrider {

// For a pipe this means room for PIPE_BUF bytes. A pipe without a reader is not ready either, which
// spares the process a SIGPIPE.
bool line_writer::ready() const {
    pollfd stream{to_, POLLOUT, 0};
    return ::poll(&stream, 1, 0) == 1 && (stream.revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

bool line_writer::write(std::string_view line) {
    while (!line.empty()) {
        if (!ready()) {
            return false;
        }
        const auto written = ::write(to_, line.data(), line.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        line.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

}  // namespace postrider
