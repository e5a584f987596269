#include "store/operate/tokens.hpp"

#include <postrider/error.hpp>

namespace postrider::store {

void create_token(pg::connection& session, const new_token& token, const audit_entry& why) {
    pg::params values;
    values.add(token.name)
        .add(token.sha256)
        .add(token.role)
        .add(token.workspace)
        .add(token.expires_at)
        .add(why.actor)
        .add(why.reason);
    session.exec_params("select postrider.create_token($1, decode($2, 'hex'), $3, $4, $5, $6, $7)",
                        values);
}

void revoke_token(pg::connection& session, std::string_view name, const audit_entry& why) {
    session.exec_params("select postrider.revoke_token($1, $2, $3)",
                        pg::params(name, why.actor, why.reason));
}

std::optional<token_holder> find_token(pg::connection& session, std::string_view sha256) {
    const auto row = session.exec_params(
        "select name, role, workspace_id, to_json(expires_at) #>> '{}'"
        " from postrider.find_token(decode($1, 'hex'))",
        pg::params(sha256));
    if (row.empty()) {
        return std::nullopt;
    }
    return token_holder{row.get<std::string>(0, 0), row.get<std::string>(0, 1),
                        row.get<std::optional<std::string>>(0, 2),
                        row.get<std::optional<std::string>>(0, 3), std::string(sha256)};
}

std::string instant_in(pg::connection& session, std::string_view time) {
    try {
        return session.exec_params("select clock_timestamp() + $1::interval", pg::params(time))
            .get<std::string>(0, 0);
    } catch (const error& problem) {
        if (!problem.sqlstate().starts_with("22")) {
            throw;
        }
        throw usage_error("'" + std::string(time) +
                          "' is not a duration: use for example 12h or 30d");
    }
}

bool any_token_in_use(pg::connection& session) {
    return session.exec_params("select exists (select from postrider.tokens where in_use)", {})
        .get<bool>(0, 0);
}

}  // namespace postrider::store
