#include "cli/output/say.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace postrider::cli {

void put_error(const std::string& text) { std::fputs(text.c_str(), stderr); }

void keep_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // open() returns the lowest free descriptor, which is this one. Opened in the opposite
            // direction, it fails like a closed one.
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

}  // namespace postrider::cli
