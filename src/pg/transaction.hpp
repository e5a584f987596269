#pragma once

#include <string>

#include "pg/connection.hpp"

namespace postrider::pg {

enum class isolation { read_committed, repeatable_read, serializable };

/// begin in the constructor, rollback in the destructor unless commit() was called.
class transaction {
  public:
    /// `settings`: statements that are sent in front of the begin, in the same message.
    explicit transaction(connection& session, isolation level = isolation::read_committed,
                         const std::string& settings = {});
    transaction(const transaction&) = delete;
    transaction& operator=(const transaction&) = delete;
    ~transaction();

    /// Throws commit_unknown_error when the connection is lost before the server answers, and an
    /// error when a statement has ended the transaction.
    void commit();
    void rollback();
    connection& session() noexcept { return session_; }

  private:
    connection& session_;
    bool open_ = false;
};

}  // namespace postrider::pg
