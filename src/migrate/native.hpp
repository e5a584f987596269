#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "migrate/schema_files.hpp"
#include "pg/connection.hpp"

namespace postrider::migrate {

/// "on", "off", or why native claims differ from the setting postrider.native: "wanted, but …",
/// "on, but …". Changes nothing.
std::string native_state(pg::connection& session);

/// Applies that setting within the open transaction, and returns the resulting state. A server that
/// cannot load the library is no error: `say` gets the reason, and the transaction goes on.
std::string apply_native(pg::connection& session, const schema_files& files,
                         const std::function<void(const std::string&)>& say);

}  // namespace postrider::migrate
