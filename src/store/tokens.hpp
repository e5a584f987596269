#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/dead_letters.hpp"

namespace postrider::store {

struct new_token {
    std::string name;
    std::string sha256;  ///< 64 hexadecimal digits
    std::string role;
    std::optional<std::string> workspace = {};
    std::optional<std::string> expires_at = {};
};

/// Who holds an access token.
struct token_holder {
    std::string name;
    std::string role;
    std::optional<std::string> workspace = {};
    std::optional<std::string> expires_at = {};
    std::string sha256 = {};  ///< of the token, in hex; empty: it is not in the database
    bool lowered = false;     ///< to a viewer, because the server itself may do no more
};

void create_token(pg::connection& session, const new_token& token, const deed& why);
void revoke_token(pg::connection& session, std::string_view name, const deed& why);
std::optional<token_holder> find_token(pg::connection& session, std::string_view sha256);
/// all: those that are revoked or expired, too.
listing tokens(pg::connection& session, bool all);
/// An instant as PostgreSQL writes it, so much time from now: '12h', '30d'.
std::string instant_in(pg::connection& session, std::string_view time);
bool any_token_in_use(pg::connection& session);

}  // namespace postrider::store
