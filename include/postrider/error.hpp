#pragma once

#include <postrider/export.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace postrider {

/// Error codes, by the action they call for. docs/reference/errors.md lists them all.
enum class errc {
    invalid_argument,
    too_large,
    consumer_not_found,
    worker_not_registered,
    wrong_isolation,
    cluster_changed,
    schema_outdated,
    schema_newer,
    schema_drift,
    permission_denied,
    handler_not_found,
    invalid_transition,
    invalid_name,
    message_not_found,
    deployment_mismatch,
    connection_failed,
    commit_unknown,
    database_error,
    server_binaries_missing,
    server_start_failed,
    config_invalid,
    unauthenticated,
    too_many_requests,
};

/// One row of the table of errors.
struct error_info {
    errc code;
    std::string_view name;
    std::string_view sqlstate;  ///< "PRnnn", or empty when SQL never raises it
    int http_status;
    int exit_code;
    std::string_view meaning;  ///< the cause and the remedy
};

/// All errors, in the order of `errc`.
POSTRIDER_EXPORT std::span<const error_info> error_table() noexcept;
POSTRIDER_EXPORT const error_info& describe(errc code) noexcept;

/// The details of a failure besides its text.
struct error_detail {
    std::string sqlstate = {};   ///< as sent by the server; empty without a server error
    std::string operation = {};  ///< the failed operation, e.g. "claim"
    bool retryable = false;
    bool connection_lost = false;
};

/// Base class of all exceptions that this library throws on purpose. Expected outcomes are values,
/// never errors.
class POSTRIDER_EXPORT error : public std::runtime_error {
  public:
    error(errc code, const std::string& message, error_detail detail = {});
    ~error() override;
    error(const error&) = default;
    error& operator=(const error&) = default;

    errc code() const noexcept { return code_; }
    const std::string& sqlstate() const noexcept { return detail_.sqlstate; }
    const std::string& operation() const noexcept { return detail_.operation; }
    /// The same call may succeed when it is repeated, and repeating it is safe.
    bool retryable() const noexcept { return detail_.retryable; }
    bool connection_lost() const noexcept { return detail_.connection_lost; }
    /// The transaction may or may not have been committed.
    bool commit_unknown() const noexcept { return code_ == errc::commit_unknown; }

  private:
    errc code_;
    error_detail detail_;
};

/// The database cannot be reached, or the connection was lost before a commit was attempted.
class POSTRIDER_EXPORT connection_error : public error {
  public:
    explicit connection_error(const std::string& message, error_detail detail = {});
    ~connection_error() override;
    connection_error(const connection_error&) = default;
    connection_error& operator=(const connection_error&) = default;
};

/// The connection was lost while a commit was under way. Never retried blindly.
class POSTRIDER_EXPORT commit_unknown_error : public error {
  public:
    explicit commit_unknown_error(const std::string& message, error_detail detail = {});
    ~commit_unknown_error() override;
    commit_unknown_error(const commit_unknown_error&) = default;
    commit_unknown_error& operator=(const commit_unknown_error&) = default;
};

/// The schema in the database and this program do not fit together.
class POSTRIDER_EXPORT schema_error : public error {
  public:
    schema_error(errc code, const std::string& message, error_detail detail = {});
    ~schema_error() override;
    schema_error(const schema_error&) = default;
    schema_error& operator=(const schema_error&) = default;
};

/// The call is invalid: repeating it unchanged never succeeds.
class POSTRIDER_EXPORT usage_error : public error {
  public:
    explicit usage_error(const std::string& message, error_detail detail = {});
    usage_error(errc code, const std::string& message, error_detail detail = {});
    ~usage_error() override;
    usage_error(const usage_error&) = default;
    usage_error& operator=(const usage_error&) = default;
};

}  // namespace postrider
