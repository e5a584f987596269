#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "pg/connection.hpp"

namespace postrider::pg {

/// Sends statements without waiting for each answer; answers come in the order of sending. Without
/// an explicit transaction everything between two sync() is one transaction, and after a failure
/// the rest up to the next sync() is skipped.
///
///   pipeline batch(session);
///   batch.send("select 1", {});
///   batch.sync();
///   auto one = batch.receive();
///   batch.receive_sync();
///
/// The session must not be used directly while a pipeline exists. The destructor reads the
/// outstanding answers, so the session is usable afterwards.
class pipeline {
  public:
    explicit pipeline(connection& session);
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;
    ~pipeline();

    void send(const char* sql, const params& values, format wanted = format::text);
    void send_prepared(const char* name, const params& values, format wanted = format::text);
    /// Ends a group and pushes everything to the server.
    void sync();
    /// The answer of the oldest statement not yet received. Throws its error, or the fact that it
    /// was skipped because an earlier one failed.
    result receive();
    /// Passes the oldest sync(): all statements before it have been received.
    void receive_sync();

    std::size_t outstanding() const noexcept { return sent_.size(); }

  private:
    struct step {
        std::string operation;
        bool is_sync;
    };
    void flush();
    void drain() noexcept;

    connection& session_;
    std::deque<step> sent_;
};

}  // namespace postrider::pg
