#ifdef POSTRIDER_WITH_RELAY
#include "cli/relay/relay_secrets.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <postrider/error.hpp>
#include <postrider/relay.hpp>
#include <sstream>

#include "cli/configured_relay.hpp"

namespace postrider::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t secrets_bytes_max = 4096;

std::string text_of_file(const std::string& file) {
    std::error_code ignored;
    const auto rights = fs::status(file, ignored).permissions();
    std::ifstream from(file, std::ios::binary);
    std::string text(secrets_bytes_max + 1, '\0');
    if (!fs::is_regular_file(file, ignored) || !from) {
        throw error(errc::config_invalid, "cannot read the webhook secrets in " + file);
    }
    if ((rights & fs::perms::others_read) != fs::perms::none) {
        throw error(errc::config_invalid, file +
                                              " holds secrets, and every user of this machine may "
                                              "read it: run `chmod o-rwx` on it");
    }
    from.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(from.gcount()));
    if (text.size() > secrets_bytes_max) {
        throw error(errc::config_invalid, file + " is too long for a list of webhook secrets");
    }
    return text;
}

}  // namespace

std::string choose_relay(const context& shared, const std::string& flag) {
    if (!flag.empty()) {
        if (relay_has_credentials(flag)) {
            throw usage_error(
                "--to holds credentials, which every user of this machine could read: leave it "
                "out and put the whole URL into POSTRIDER_RELAY_TO, or into the configuration "
                "file as relay_to");
        }
        return flag;
    }
    if (const char* url = std::getenv("POSTRIDER_RELAY_TO"); url != nullptr && *url != '\0') {
        return url;
    }
    auto url = configured_relay(shared);
    if (url.empty()) {
        throw usage_error(
            "a relay needs the address of a broker: --to nats://host:4222, POSTRIDER_RELAY_TO, or "
            "relay_to in the configuration file");
    }
    return url;
}

std::vector<std::string> webhook_secrets(const std::string& file) {
    const char* variable = std::getenv("POSTRIDER_WEBHOOK_SECRETS");
    std::istringstream text(!file.empty()         ? text_of_file(file)
                            : variable != nullptr ? variable
                                                  : "");
    std::vector<std::string> all;
    for (std::string one; text >> one;) {
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace postrider::cli
#endif
