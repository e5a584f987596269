#include "store/operate/limits.hpp"

namespace postrider::store {

std::string set_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                      std::string_view limit, const audit_entry& why) {
    return session
        .exec_params("select postrider.set_limit($1, $2, $3, $4, $5, $6)",
                     pg::params(of.consumer, handler, limit, why.actor, why.reason, of.channel))
        .get<std::string>(0, 0);
}

void remove_limit(pg::connection& session, const consumer_name& of, std::string_view handler,
                  const audit_entry& why) {
    session.exec_params("select postrider.remove_limit($1, $2, $3, $4, $5)",
                        pg::params(of.consumer, handler, why.actor, why.reason, of.channel));
}

std::string limit_preview(pg::connection& session, const consumer_name& of,
                          std::string_view handler, const std::optional<std::string>& limit) {
    pg::params values(of.consumer);
    values.add(handler).add(limit).add(of.channel);
    return session
        .exec_params("select to_jsonb(p) from postrider.limit_preview($1, $2, $3, $4) p", values)
        .get<std::string>(0, 0);
}

}  // namespace postrider::store
