#include "cli/output/say.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace postrider::cli {

void put_error(const std::string& text) { std::fputs(text.c_str(), stderr); }

void keep_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // The lowest free number is this one. Opened the wrong way round, it fails as before.
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

}  // namespace postrider::cli
