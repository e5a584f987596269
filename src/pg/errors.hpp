#pragma once

#include <postrider/error.hpp>
#include <string>
#include <string_view>

struct pg_conn;
struct pg_result;

namespace postrider::pg {

/// The code for a SQLSTATE; database_error for one without a code of its own.
errc code_for(std::string_view sqlstate) noexcept;

/// True when the SQLSTATE means that a retry may succeed.
bool is_retryable(std::string_view sqlstate) noexcept;

/// True when the SQLSTATE means that the session has ended.
bool is_connection_loss(std::string_view sqlstate) noexcept;

/// Throws the matching postrider::error. `result` may be null when libpq could not send the
/// statement. With `sql` the message names the line of the error.
[[noreturn]] void throw_error(pg_conn* connection, const pg_result* result,
                              std::string_view operation, std::string_view sql = {});

}  // namespace postrider::pg
