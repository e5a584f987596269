#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "chaos/record/record.hpp"

namespace postrider::chaos {

/// The current time, read by a system call, so that a process with a faked clock writes the same
/// time as the others.
instant now();

/// The append-only history of one process. The kernel has every line when write() returns: killing
/// the process loses none. Any thread may write.
class history {
  public:
    /// Throws when the file cannot be made. An existing one is continued.
    explicit history(const std::filesystem::path& file);
    history(const history&) = delete;
    history& operator=(const history&) = delete;
    ~history();

    /// Gives it the time now unless it has one.
    void write(record entry);

  private:
    int descriptor_;
};

/// Every complete line of a file, in order. A last line without its end was never finished.
void read_history(const std::filesystem::path& file, const std::function<void(record)>& each);

/// Every history in a directory (*.history) together with the name of its process.
void read_histories(const std::filesystem::path& directory,
                    const std::function<void(const std::string& process, record)>& each);

}  // namespace postrider::chaos
