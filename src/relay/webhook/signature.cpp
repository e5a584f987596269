#include "relay/webhook/signature.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <new>
#include <postrider/error.hpp>

namespace postrider::relaying {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t key_bytes_min = 24;
constexpr std::size_t key_bytes_max = 64;

std::string base64(const unsigned char* bytes, std::size_t count) {
    std::string text((count + 2) / 3 * 4 + 1, '\0');
    const auto length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes,
                                        static_cast<int>(count));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

// Nothing when the text is not base64 with its padding.
std::string from_base64(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0 || text.size() > 2 * key_bytes_max) {
        return {};
    }
    std::string bytes(text.size() / 4 * 3, '\0');
    const auto length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                        reinterpret_cast<const unsigned char*>(text.data()),
                                        static_cast<int>(text.size()));
    if (length < 0) {
        return {};
    }
    const auto padding = text.size() - (text.find_last_not_of('=') + 1);
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

}  // namespace

webhook_signer::webhook_signer(const std::vector<std::string>& secrets) {
    for (const std::string_view secret : secrets) {
        auto key =
            secret.starts_with(prefix) ? from_base64(secret.substr(prefix.size())) : std::string{};
        if (key.size() < key_bytes_min || key.size() > key_bytes_max) {
            throw usage_error(
                "secret " + std::to_string(keys_.size() + 1) +
                " of the webhook is not whsec_ and the base64 of 24 to 64 bytes; make one "
                "with: echo whsec_$(openssl rand -base64 32)");
        }
        keys_.push_back(std::move(key));
    }
}

std::string webhook_signer::sign(std::string_view id, std::int64_t timestamp,
                                 std::string_view body) const {
    std::string content(id);
    content.append(".").append(std::to_string(timestamp)).append(".").append(body);
    std::string all;
    for (const auto& key : keys_) {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int length = 0;
        if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                 reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                 digest.data(), &length) == nullptr) {
            throw std::bad_alloc();
        }
        all.append(all.empty() ? "v1," : " v1,").append(base64(digest.data(), length));
    }
    return all;
}

}  // namespace postrider::relaying
