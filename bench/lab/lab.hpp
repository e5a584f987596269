#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "embedded/server.hpp"
#include "pg/connection.hpp"

namespace postrider::bench {

struct lab_options {
    bool quick = false;
    bool tiny = false;  ///< just enough to see that everything works
    int rounds = 3;
    /// A server to use instead of a private one; databases postrider_bench_* are made in it.
    std::string database = {};
    /// The programs of the private server; empty: searched.
    std::filesystem::path server_programs = {};
    /// Where the peers from npm are installed.
    std::filesystem::path peer_programs = {};
};

/// Where the scenarios run: a PostgreSQL with a migrated template to make databases from.
class lab {
  public:
    explicit lab(const lab_options& options);
    lab(const lab&) = delete;
    lab& operator=(const lab&) = delete;
    ~lab();

    bool quick() const { return options_.quick; }
    int rounds() const { return options_.rounds; }
    template <typename Value>
    Value size(Value full, Value quick) const {
        return options_.quick ? quick : full;
    }
    bool tiny() const { return options_.tiny; }
    /// Removed at the end.
    const std::filesystem::path& directory() const { return directory_; }
    const std::filesystem::path& peer_programs() const { return options_.peer_programs; }
    std::string conninfo(const std::string& database) const;
    /// Whether claims go through the library postrider_native.
    bool claims_natively() const { return claims_natively_; }
    /// The server's first process; nothing for a server given with --database.
    std::optional<pid_t> server_process() const;
    /// Whether the whole server is removed at the end.
    bool throwaway() const { return server_.has_value(); }
    /// Stops a private server and removes it, even while it is used. Any thread; the first call
    /// counts.
    void tear_down() noexcept;
    /// Whether tear_down() was called: later errors are expected.
    bool ending() const { return ending_; }

  private:
    lab_options options_;
    std::filesystem::path directory_;
    std::optional<embedded::server> server_;
    bool claims_natively_ = false;
    std::mutex tearing_down_;
    std::atomic<bool> ending_ = false;
};

/// A migrated database of its own for one measurement; dropped at the end.
class fresh_database {
  public:
    explicit fresh_database(const lab& where);
    fresh_database(const fresh_database&) = delete;
    fresh_database& operator=(const fresh_database&) = delete;
    ~fresh_database();

    pg::connection connect() const { return pg::connection(conninfo_); }
    const std::string& name() const { return name_; }
    const std::string& conninfo() const { return conninfo_; }
    /// A session with asynchronous commits: a lost claim does no harm.
    pg::connection connect_consumer() const;
    /// Updates statistics and cleans pages, so that each side of a comparison starts in the same
    /// state.
    void settle_down() const;

  private:
    const lab& where_;
    std::string name_;
    std::string conninfo_;
};

}  // namespace postrider::bench
