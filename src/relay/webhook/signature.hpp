#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::relaying {

/// Signs requests as Standard Webhooks does: "v1," and the base64 of
/// HMAC-SHA256(key, "<id>.<timestamp>.<body>"), once per key, separated by blanks.
class webhook_signer {
  public:
    /// Secrets are "whsec_" and the base64 of 24 to 64 bytes. Throws usage_error for anything else;
    /// the error does not contain the secret.
    explicit webhook_signer(const std::vector<std::string>& secrets);

    bool empty() const { return keys_.empty(); }
    std::string sign(std::string_view id, std::int64_t timestamp, std::string_view body) const;

  private:
    std::vector<std::string> keys_;
};

}  // namespace postrider::relaying
