#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "migrate/schema_files.hpp"
#include "pg/connection.hpp"

namespace postrider::migrate {

/// "on", "off", or what keeps native claims from being as the setting postrider.native wants them:
/// "wanted, but …", "on, but …". Changes nothing.
std::string native_state(pg::connection& session);

/// Does what that setting says, within the open transaction, and gives the state it comes to. That
/// the server cannot or may not is no error: `say` is told why, and the transaction goes on.
std::string apply_native(pg::connection& session, const schema_files& files,
                         const std::function<void(const std::string&)>& say);

}  // namespace postrider::migrate
