#include "support/faults/faked_clock.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace postrider::test {
namespace fs = std::filesystem;
namespace {

// /usr/lib/<architecture>/faketime/libfaketime.so.1; empty when there is none.
fs::path library() {
    for (const auto& entry : fs::directory_iterator("/usr/lib")) {
        auto found = entry.path() / "faketime" / "libfaketime.so.1";
        if (::access(found.c_str(), R_OK) == 0) {
            return found;
        }
    }
    return {};
}

}  // namespace

faked_clock::faked_clock(fs::path file) : file_(std::move(file)) { set(std::chrono::seconds(0)); }

bool faked_clock::available() { return !library().empty(); }

std::map<std::string, std::string> faked_clock::variables() const {
    return {{"LD_PRELOAD", library().string()},
            {"FAKETIME_TIMESTAMP_FILE", file_.string()},
            {"FAKETIME_NO_CACHE", "1"},
            {"FAKETIME_DISABLE_SHM", "1"},
            {"FAKETIME_DONT_FAKE_MONOTONIC", "1"}};
}

void faked_clock::run(const std::function<void()>& start) const {
    for (const auto& [name, value] : variables()) {
        ::setenv(name.c_str(), value.c_str(), 1);
    }
    const auto restore = [this] {
        for (const auto& [name, value] : variables()) {
            ::unsetenv(name.c_str());
        }
    };
    try {
        start();
    } catch (...) {
        restore();
        throw;
    }
    restore();
}

void faked_clock::set(std::chrono::seconds ahead) const {
    // Replaced atomically: a reader must not see half a number.
    const auto draft = file_.string() + ".new";
    std::ofstream(draft) << fmt::format("{:+}\n", ahead.count());
    fs::rename(draft, file_);
}

}  // namespace postrider::test
