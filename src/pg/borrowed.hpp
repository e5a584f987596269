#pragma once

#include <string_view>

#include "pg/connection.hpp"

namespace postrider::pg {

/// The caller's connection for the length of one operation. Rejects a connection that cannot be
/// used now (none, lost, in pipeline mode, busy, in a failed transaction, not UTF-8) with an error
/// that names the remedy. Makes a non-blocking connection block and restores its mode afterwards.
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
