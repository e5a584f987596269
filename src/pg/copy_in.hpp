#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pg/connection.hpp"

namespace postrider::pg {

/// Streams rows into `copy ... from stdin`, text or binary as the statement says. Abandoned (the
/// statement fails and nothing is stored) unless finish() is reached.
class copy_in {
  public:
    copy_in(connection& session, const std::string& statement);
    copy_in(const copy_in&) = delete;
    copy_in& operator=(const copy_in&) = delete;
    ~copy_in();

    /// Any slice of the stream; rows may be cut anywhere.
    void write(std::string_view bytes);
    /// Gives the number of rows stored.
    std::int64_t finish();

  private:
    result end(const char* abort_reason);

    connection& session_;
    bool open_ = false;
};

}  // namespace postrider::pg
