#pragma once

#include <cstdint>
#include <string_view>

namespace postrider {

/// Writes lines to a stream that belongs to the whole process, without ever waiting for its reader
/// and without switching it to non-blocking, which would affect all processes that share it. For
/// one thread at a time.
class line_writer {
  public:
    explicit line_writer(int to) : to_(to) {}

    /// False when the reader does not keep up, or is gone. A pipe takes lines of up to 4096 bytes
    /// completely or not at all.
    bool write(std::string_view line);

  private:
    bool ready() const;
    int to_;
};

}  // namespace postrider
