#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "support/eventually.hpp"
#include "support/scratch_directory.hpp"

namespace postrider::test {

/// Sends the process's stderr to a file for as long as it lives.
class captured_stderr {
  public:
    captured_stderr() : before_(::dup(STDERR_FILENO)) {
        const int file = ::open(path().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::dup2(file, STDERR_FILENO);
        ::close(file);
    }
    captured_stderr(const captured_stderr&) = delete;
    captured_stderr& operator=(const captured_stderr&) = delete;
    ~captured_stderr() {
        std::fflush(stderr);
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
    }

    std::string text() const {
        std::ostringstream all;
        all << std::ifstream(path()).rdbuf();
        return all.str();
    }
    /// True as soon as the text was written.
    bool wait_for(const std::string& expected) const {
        return eventually([&] { return text().find(expected) != std::string::npos; });
    }

  private:
    std::string path() const { return (place_.path() / "stderr").string(); }

    scratch_directory place_;
    int before_;
};

}  // namespace postrider::test
