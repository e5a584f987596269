#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/operate/dead_letters.hpp"

namespace postrider::store {

struct new_token {
    std::string name;
    std::string sha256;  ///< 64 hexadecimal digits
    std::string role;
    std::optional<std::string> workspace = {};
    std::optional<std::string> expires_at = {};
};

/// The holder of an access token.
struct token_holder {
    std::string name;
    std::string role;
    std::optional<std::string> workspace = {};
    std::optional<std::string> expires_at = {};
    std::string sha256 = {};  ///< of the token, in hex; empty: not stored in the database
    bool lowered = false;  ///< to viewer, because the database role of the server is only a viewer
};

void create_token(pg::connection& session, const new_token& token, const audit_entry& why);
void revoke_token(pg::connection& session, std::string_view name, const audit_entry& why);
std::optional<token_holder> find_token(pg::connection& session, std::string_view sha256);
/// The instant this duration from now, in the format of PostgreSQL: '12h', '30d'.
std::string instant_in(pg::connection& session, std::string_view time);
bool any_token_in_use(pg::connection& session);

}  // namespace postrider::store
