#pragma once

#include <postrider/error.hpp>
#include <string>
#include <string_view>

struct pg_conn;
struct pg_result;

namespace postrider::pg {

/// Our code for a SQLSTATE; database_error for the ones that are not ours and need no code.
errc code_for(std::string_view sqlstate) noexcept;

/// True when the server itself says that trying again may work.
bool is_retryable(std::string_view sqlstate) noexcept;

/// True when the server ended the session or the network did.
bool is_connection_loss(std::string_view sqlstate) noexcept;

/// Throws the postrider::error that fits. `result` may be null when libpq could not even send; with
/// `sql` the message names the line the server complains about.
[[noreturn]] void throw_error(pg_conn* connection, const pg_result* result,
                              std::string_view operation, std::string_view sql = {});

}  // namespace postrider::pg
