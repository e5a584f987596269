#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pg/params.hpp"
#include "pg/result.hpp"

struct pg_conn;

namespace postrider::pg {

enum class format { text, binary };

struct notification {
    std::string channel;
    std::string payload;
    int backend_pid;
};

/// One session with the server. Blocking, for one thread at a time. Every call throws a
/// postrider::error when it fails; after connection_lost() only reconnect() may be called.
class connection {
  public:
    using notice_sink = std::function<void(std::string_view)>;

    /// `conninfo` is a URL or a key=value string. Keepalives, a connect timeout and the application
    /// name are set unless it says otherwise; the encoding is always UTF-8.
    explicit connection(const std::string& conninfo);

    /// Uses a session that the caller owns: never closed, never reconnected here.
    static connection borrow(pg_conn* raw);

    connection(connection&&) noexcept;
    connection& operator=(connection&&) noexcept;
    ~connection();

    /// Any number of statements without parameters; gives the last result.
    result exec(const std::string& sql);
    /// The same for a COPY from stdin, whose rows follow; for copy_in.
    result begin_copy(const std::string& sql);
    result exec_params(const char* sql, const params& values, format wanted = format::text);
    void prepare(const char* name, const char* sql);
    result exec_prepared(const char* name, const params& values, format wanted = format::text);

    /// Sends a statement without waiting for its answer; the socket becomes readable when there may
    /// be one.
    void send(const char* sql, const params& values);
    /// The answer to send(), or nothing while the statement runs.
    std::optional<result> poll_answer();

    void listen(std::string_view channel);
    void unlisten(std::string_view channel);
    /// The next notification, or nothing after `timeout` or as soon as `wake_fd` is readable.
    std::optional<notification> wait_notification(std::chrono::milliseconds timeout,
                                                  int wake_fd = -1);

    std::string quote_identifier(std::string_view name) const;
    std::string quote_literal(std::string_view text) const;

    /// Ends the running statement of this connection from another thread.
    void cancel() const;
    /// Closes the session and opens a new one; prepared statements and LISTENs are gone.
    void reconnect();
    bool alive() const noexcept;
    bool in_transaction() const noexcept;
    int backend_pid() const noexcept;
    int server_version() const noexcept;  ///< e.g. 150019
    int socket() const noexcept;

    /// Sets the receiver of server notices. By default they are dropped.
    void on_notice(notice_sink sink);

    pg_conn* raw() const noexcept { return raw_; }

  private:
    connection() = default;
    void open();
    void close() noexcept;
    result check(pg_result* raw, std::string_view operation, std::string_view sql = {}) const;
    std::optional<notification> take_notification();

    std::string conninfo_;
    pg_conn* raw_ = nullptr;
    bool owned_ = true;
    // On the heap: libpq keeps its address while the connection object may move.
    std::unique_ptr<notice_sink> notice_;
};

}  // namespace postrider::pg
