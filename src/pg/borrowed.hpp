#pragma once

#include <string_view>

#include "pg/connection.hpp"

namespace postrider::pg {

/// The connection of somebody else for the length of one operation. Refuses one that cannot be used
/// now (none, lost, in pipeline mode, busy, in a failed transaction, not speaking UTF-8) with an
/// error that says what to do; makes a non-blocking one block and gives it back as it was.
class borrowed {
  public:
    borrowed(pg_conn* raw, std::string_view operation);
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;
    ~borrowed();

    connection& session() noexcept { return session_; }
    /// The owner had no transaction open: a statement commits by itself.
    bool commits_itself() const noexcept { return commits_itself_; }

  private:
    connection session_;
    bool was_nonblocking_ = false;
    bool commits_itself_ = false;
};

}  // namespace postrider::pg
