#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::serve {

/// How many connections and live streams there may be. As many connections again, or 64, may have
/// been closed in favour of others while their threads have not ended.
struct connection_limits {
    int total = 512;
    int per_address = 128;
    int per_token = 64;
    int streams = 256;
    int streams_per_address = 64;
    int streams_per_token = 16;
    /// Connections above the limits that are accepted for health checks only.
    int health = 32;
    /// Reverse proxies: `per_address` does not apply to their own addresses.
    std::vector<std::string> trusted_proxies = {};
    std::chrono::milliseconds grace = std::chrono::seconds(2);
};

/// Every open connection, and which of them may be closed in favour of a new one: those that wait
/// for a request, and those without a valid token, also while a body or an answer is on its way.
/// The one whose last request ended first is closed first. A new connection has `grace` to send a
/// request, unless half of the places are new connections; then the address with the most of these
/// gives way. Where only those wait, the slowest request or stream of the token that has the most
/// is closed, if it has more than four: no few clients can keep the others out. Thread-safe.
class connection_table {
  public:
    explicit connection_table(connection_limits limits) : limits_(std::move(limits)) {}

    class seat;

    /// A place for a connection, closing a waiting one when that is necessary; null when there is
    /// none. The socket must stay open until the seat is destroyed.
    std::unique_ptr<seat> admit(int socket, std::string address);
    /// Closes the connection that has waited longest; false when all of them are busy.
    bool close_waiting();
    /// For the end of the server.
    void close_all();
    /// Open connections, without those for health checks.
    int size() const;

    enum class verdict { allowed, token_full, address_full, full };

  private:
    using clock = std::chrono::steady_clock;
    struct entry {
        int socket;
        std::string address;  ///< of the other end of the connection
        std::string client;   ///< that the current request came from: a proxy names it
        std::string token = {};
        bool health_only = false;
        bool waiting = true;
        bool streaming = false;
        bool closed = false;
        bool was_answered = false;
        clock::time_point since = clock::now();       ///< when it began to wait
        clock::time_point busy_since = clock::now();  ///< when its current request began
        bool may_be_closed() const { return waiting || token.empty(); }
    };
    using entries = std::list<entry>;

    template <typename Condition>
    int count(Condition&& holds) const;
    template <typename Condition>
    bool close_longest_waiting(Condition&& holds);
    template <typename Condition>
    bool close_of_busiest_token(Condition&& holds);
    template <typename Condition>
    bool close_fresh(Condition&& fresh);
    /// Of the connections that the condition holds for, which are as many as the limit.
    template <typename Condition>
    bool close_one(Condition&& holds, int limit);
    static void close(entry& one);
    bool make_room(const std::string& address);
    bool trusted(const std::string& address) const;

    const connection_limits limits_;
    mutable std::mutex mutex_;
    entries entries_;
};

/// The place of one connection in the table.
class connection_table::seat {
  public:
    seat(connection_table& table, entries::iterator mine) : table_(table), mine_(mine) {}
    seat(const seat&) = delete;
    seat& operator=(const seat&) = delete;
    ~seat();

    /// The connection waits for the head of a request, and may be closed meanwhile.
    void begin_waiting();
    /// A head has arrived; false when the connection was closed in favour of another one.
    bool begin_request();
    /// The address that the current request came from: the peer, or, behind trusted proxies, the
    /// last address of `forwarded_for` that is not one of them.
    void set_client(std::string_view forwarded_for);
    const std::string& client() const { return mine_->client; }
    /// The request has a valid token: the connection is not closed until it waits again.
    verdict set_token(const std::string& token);
    /// The answer is a live stream from now on.
    verdict begin_stream();
    /// Only health checks are answered on this connection.
    bool health_only() const { return health_only_; }

  private:
    friend class connection_table;
    connection_table& table_;
    entries::iterator mine_;
    bool health_only_ = false;
};

/// IPv4 in its usual notation also when it came through an IPv6 socket.
std::string plain_address(const std::string& address);
/// Addresses that one attacker can have many of count as one: the first 64 bits of IPv6.
std::string address_group(const std::string& address);

}  // namespace postrider::serve
