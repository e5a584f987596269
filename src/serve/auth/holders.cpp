#include "serve/auth/holders.hpp"

#include "serve/auth/secret.hpp"

namespace postrider::serve {

holders::holders(pool& database, const serve_options& options)
    : database_(database),
      link_sha256_(options.link_token.empty() ? "" : sha256_hex(options.link_token)),
      link_{.name = options.link_name, .role = options.link_role} {}

std::optional<store::token_holder> holders::of(const std::string& token) {
    auto holder = stored(token);
    if (holder && holder->role != "viewer" && !database_.may_change()) {
        holder->role = "viewer";
        holder->lowered = true;
    }
    return holder;
}

bool holders::was_good(const std::string& token) {
    const auto sha256 = sha256_hex(token);
    if (!link_sha256_.empty() && same_secret(sha256, link_sha256_)) {
        return true;
    }
    const std::lock_guard lock(mutex_);
    return known_.contains(sha256);
}

std::optional<store::token_holder> holders::stored(const std::string& token) {
    constexpr std::chrono::seconds memory{2};
    constexpr std::size_t known_max = 10000;
    constexpr std::size_t token_max = 256;
    if (token.empty() || token.size() > token_max) {
        return std::nullopt;
    }
    const auto sha256 = sha256_hex(token);
    if (!link_sha256_.empty() && same_secret(sha256, link_sha256_)) {
        return link_;
    }
    const auto now = clock::now();
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(sha256);
        if (found != known_.end() && found->second.until > now) {
            return found->second.holder;
        }
    }
    auto holder =
        database_.with([&](pg::connection& session) { return store::find_token(session, sha256); });
    const std::lock_guard lock(mutex_);
    if (known_.size() >= known_max) {
        known_.clear();
    }
    known_.erase(sha256);
    if (holder) {
        known_.emplace(sha256, known{*holder, now + memory});
    }
    return holder;
}

}  // namespace postrider::serve
