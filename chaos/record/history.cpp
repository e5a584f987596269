#include "chaos/record/history.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace postrider::chaos {
namespace fs = std::filesystem;

instant now() {
    timespec time{};
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
    return static_cast<instant>(time.tv_sec) * 1'000'000 + time.tv_nsec / 1000;
}

history::history(const fs::path& file)
    : descriptor_(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) {
        throw std::system_error(errno, std::generic_category(), "history " + file.string());
    }
}

history::~history() { ::close(descriptor_); }

void history::write(record entry) {
    if (entry.at == 0) {
        entry.at = now();
    }
    const auto line = to_line(entry);
    // One call per line: lines of several threads and of a killed process stay whole.
    if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
        throw std::system_error(errno, std::generic_category(), "write a history");
    }
}

void read_history(const fs::path& file, const std::function<void(record)>& each) {
    std::ifstream text(file, std::ios::binary);
    if (!text) {
        throw std::runtime_error("cannot read " + file.string());
    }
    for (std::string line; std::getline(text, line) && !text.eof();) {
        if (!line.empty() && line.front() != '#') {
            each(parse_line(line));
        }
    }
}

void read_histories(const fs::path& directory,
                    const std::function<void(const std::string& process, record)>& each) {
    for (const auto& entry : fs::directory_iterator(directory)) {
        if (entry.path().extension() == ".history") {
            const auto process = entry.path().stem().string();
            read_history(entry.path(), [&](record one) { each(process, std::move(one)); });
        }
    }
}

}  // namespace postrider::chaos
