#pragma once

#include <optional>
#include <postrider/export.hpp>
#include <span>
#include <string>

struct pg_conn;

namespace postrider {

/// Runs statements inside the caller's own transaction; messages are published through it.
/// Implementations: postrider::transaction and, for libpqxx, pqxx_executor. One for another driver
/// takes a few lines. A PGconn needs none: functions that publish also take it directly. Used by
/// one thread at a time; calls block.
class POSTRIDER_EXPORT executor {
  public:
    using parameters = std::span<const std::optional<std::string>>;

    executor() = default;
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    virtual ~executor();

    /// Runs one statement whose parameters $1, $2, ... are given as text. Returns the first column
    /// of the first row; empty when there is no row.
    virtual std::string query_value(const char* sql, parameters values) = 0;

    /// The underlying libpq connection, if there is one: publish_many() then uses COPY.
    virtual pg_conn* native() noexcept { return nullptr; }
};

}  // namespace postrider
