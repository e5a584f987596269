#include "relay/nats/nats_connection.hpp"

#include <algorithm>
#include <fstream>
#include <postrider/error.hpp>
#include <utility>

namespace postrider::relaying {
namespace {

constexpr int nats_port = 4222;

// "(conn.c:733): SSL handshake error: 20:unable to get local issuer certificate:…"
std::string reason_of(natsStatus status) {
    std::string text = natsStatus_GetText(status);
    if (status == NATS_SSL_ERROR) {
        const std::string_view last = nats_GetLastError(nullptr);
        const auto place = last.find("): ");
        text += ": ";
        text += place == std::string_view::npos ? last : last.substr(place + 3);
    }
    return text;
}

using nats_options = std::unique_ptr<natsOptions, nats_free<natsOptions_Destroy>>;

nats_options options_of(const nats_settings& how) {
    natsOptions* raw = nullptr;
    require_ok(natsOptions_Create(&raw));
    nats_options made(raw);
    std::vector<const char*> servers;
    for (const auto& one : how.servers) {
        servers.push_back(one.c_str());
    }
    require_ok(natsOptions_SetServers(raw, servers.data(), static_cast<int>(servers.size())));
    require_ok(natsOptions_SetTimeout(raw, how.timeout.count()));
    require_ok(natsOptions_SetWriteDeadline(raw, how.timeout.count()));
    require_ok(natsOptions_SetAllowReconnect(raw, false));
    require_ok(natsOptions_SetName(raw, "postrider"));
    if (how.tls) {
        require_ok(natsOptions_SetSecure(raw, true));
        if (!how.ca_file.empty()) {
            require_ok(natsOptions_LoadCATrustedCertificates(raw, how.ca_file.c_str()));
        }
    }
    if (!how.credentials_file.empty()) {
        require_ok(
            natsOptions_SetUserCredentialsFromFiles(raw, how.credentials_file.c_str(), nullptr));
    } else if (!how.password.empty()) {
        require_ok(natsOptions_SetUserInfo(raw, how.user.c_str(), how.password.c_str()));
    } else if (!how.user.empty()) {
        require_ok(natsOptions_SetToken(raw, how.user.c_str()));
    }
    return made;
}

std::vector<std::string> servers_of(const relay_url& to) {
    std::vector<std::string> all;
    std::string_view rest = to.authority;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(','), rest.size());
        relay_url one;
        one.authority = rest.substr(0, end);
        const auto [host, port] = host_of(one, nats_port);
        const bool is_ipv6 = host.find(':') != std::string::npos;
        all.push_back("nats://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

// The parameter ca_file of the address.
std::string ca_file_of(const relay_url& to) {
    std::string file;
    for (const auto& [name, value] : to.query) {
        if (name != "ca_file" || to.scheme != "tls") {
            throw usage_error("an address of NATS has no parameter " + name +
                              "; tls:// has ca_file, a file of trusted certificates");
        }
        file = value;
    }
    if (!file.empty() && !std::ifstream(file).good()) {
        throw usage_error("the ca_file " + file + " cannot be read");
    }
    return file;
}

}  // namespace

nats_failure::nats_failure(natsStatus status)
    : std::runtime_error(reason_of(status)), status_(status) {}

nats_settings nats_settings_of(const relay_url& to, std::string credentials_file,
                               std::chrono::milliseconds timeout) {
    return {.servers = servers_of(to),
            .user = to.user,
            .password = to.password,
            .credentials_file = std::move(credentials_file),
            .timeout = timeout,
            .tls = to.scheme == "tls",
            .ca_file = ca_file_of(to)};
}

nats_connection connect(const nats_settings& how) {
    natsConnection* raw = nullptr;
    require_ok(natsConnection_Connect(&raw, options_of(how).get()));
    return nats_connection(raw);
}

std::string new_inbox() {
    natsInbox* raw = nullptr;
    require_ok(natsInbox_Create(&raw));
    const std::unique_ptr<natsInbox, nats_free<natsInbox_Destroy>> made(raw);
    return raw;
}

}  // namespace postrider::relaying
