#pragma once

#include <optional>
#include <postrider/export.hpp>
#include <span>
#include <string>

struct pg_conn;

namespace postrider {

/// Something that runs statements inside the caller's own transaction: the seam through which
/// messages are published. There is one for Postrider's own transaction, one for a borrowed PGconn
/// and one for libpqxx; others take a few lines. Used by one thread at a time; calls block.
class POSTRIDER_EXPORT executor {
  public:
    using parameters = std::span<const std::optional<std::string>>;

    executor() = default;
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    virtual ~executor();

    /// Runs one statement whose parameters $1, $2, ... are given as text; gives the first column of
    /// the first row, empty when there is none.
    virtual std::string query_value(const char* sql, parameters values) = 0;

    /// The libpq connection underneath, if there is one: bulk then goes by COPY.
    virtual pg_conn* native() noexcept { return nullptr; }
};

}  // namespace postrider
