#include "serve/auth/session.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <charconv>
#include <memory>
#include <postrider/error.hpp>
#include <vector>

#include "serve/auth/secret.hpp"

namespace postrider::serve {
namespace {

constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;
constexpr std::size_t sealed_max = 1024;

using digest = std::array<unsigned char, 32>;

struct release {
    void operator()(EVP_CIPHER_CTX* context) const noexcept { EVP_CIPHER_CTX_free(context); }
};
using cipher = std::unique_ptr<EVP_CIPHER_CTX, release>;

unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string random_bytes(std::size_t size) {
    std::string made(size, '\0');
    if (RAND_bytes(bytes(made), static_cast<int>(size)) != 1) {
        throw error(errc::config_invalid, "no random numbers available for a session");
    }
    return made;
}

// The key text has 256 random bits, so a plain hash is enough.
digest cipher_key(std::string_view key) {
    const auto text = "postrider session " + std::string(key);
    digest made{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), made.data(), &size, EVP_sha256(), nullptr);
    return made;
}

// AES-256-GCM: nonce, ciphertext, tag.
std::string encrypt(std::string_view text, std::string_view key) {
    auto sealed = random_bytes(nonce_size);
    std::string body(text.size(), '\0');
    std::string tag(tag_size, '\0');
    const auto secret = cipher_key(key);
    const cipher context(EVP_CIPHER_CTX_new());
    int size = 0;
    if (!context ||
        EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, secret.data(),
                           bytes(sealed)) != 1 ||
        EVP_EncryptUpdate(context.get(), bytes(body), &size, bytes(text),
                          static_cast<int>(text.size())) != 1 ||
        EVP_EncryptFinal_ex(context.get(), bytes(body) + size, &size) != 1 ||
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_size, tag.data()) != 1) {
        throw error(errc::config_invalid, "AES-256-GCM is not available");
    }
    return sealed + body + tag;
}

std::optional<std::string> decrypt(std::string_view sealed, std::string_view key) {
    if (sealed.size() < nonce_size + tag_size || sealed.size() > sealed_max) {
        return std::nullopt;
    }
    const auto body = sealed.substr(nonce_size, sealed.size() - nonce_size - tag_size);
    std::string tag(sealed.substr(sealed.size() - tag_size));
    std::string text(body.size(), '\0');
    const auto secret = cipher_key(key);
    const cipher context(EVP_CIPHER_CTX_new());
    int size = 0;
    const bool good =
        context &&
        EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, secret.data(),
                           bytes(sealed)) == 1 &&
        EVP_DecryptUpdate(context.get(), bytes(text), &size, bytes(body),
                          static_cast<int>(body.size())) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, tag_size, tag.data()) == 1 &&
        EVP_DecryptFinal_ex(context.get(), bytes(text) + size, &size) == 1;
    return good ? std::optional(std::move(text)) : std::nullopt;
}

// The values of the cookies with this name, of the header "a=1; b=2". There can be several: another
// server on the same host can set one for a longer path, which the browser sends first.
std::vector<std::string_view> cookies_named(std::string_view cookies, std::string_view name) {
    constexpr std::size_t most = 4;
    std::vector<std::string_view> found;
    while (!cookies.empty() && found.size() < most) {
        const auto end = std::min(cookies.find(';'), cookies.size());
        auto pair = cookies.substr(0, end);
        pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
        if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=') {
            found.push_back(pair.substr(name.size() + 1));
        }
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
    }
    return found;
}

}  // namespace

browser_sessions::browser_sessions(bool tls, int port)
    : tls_(tls), name_((tls ? "__Host-postrider-" : "postrider-") + std::to_string(port)) {}

std::string browser_sessions::cookie(std::string_view value, std::chrono::seconds age) const {
    return name_ + "=" + std::string(value) +
           "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" + std::to_string(age.count()) +
           (tls_ ? "; Secure" : "");
}

browser_sessions::begun browser_sessions::begin(std::string_view token,
                                                clock::time_point now) const {
    const auto key = base64url(random_bytes(sizeof(digest)));
    const auto until = now + lifetime;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(until.time_since_epoch());
    const auto text = std::to_string(seconds.count()) + " " + std::string(token);
    return {cookie(base64url(encrypt(text, key)), lifetime), key, until};
}

std::optional<browser_sessions::opened> browser_sessions::open(std::string_view cookies,
                                                               std::string_view key,
                                                               clock::time_point now) const {
    std::optional<std::string> text;
    for (const auto value : cookies_named(cookies, name_)) {
        if (key.empty() || value.size() > 2 * sealed_max) {
            continue;
        }
        try {
            text = decrypt(from_base64url(value), key);
        } catch (const usage_error&) {
            continue;
        }
        if (text) {
            break;
        }
    }
    if (!text) {
        return std::nullopt;
    }
    std::int64_t seconds = 0;
    const auto space = std::min(text->find(' '), text->size());
    std::from_chars(text->data(), text->data() + space, seconds);
    const clock::time_point until{std::chrono::seconds(seconds)};
    if (until <= now || space == text->size()) {
        return std::nullopt;
    }
    return opened{text->substr(space + 1), until};
}

std::string browser_sessions::end() const { return cookie("", std::chrono::seconds(0)); }

}  // namespace postrider::serve
