#include "sinks/sentry_dsn.hpp"

#include <algorithm>
#include <postrider/error.hpp>

namespace postrider::sinks {
namespace {

[[noreturn]] void refuse(const char* why) {
    throw error(errc::config_invalid, std::string("invalid Sentry DSN: ") + why +
                                          "; expected https://<key>@<host>/<project>");
}

bool is_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_';
    });
}

}  // namespace

sentry_dsn sentry_dsn::parse(std::string_view text) {
    const auto scheme_end = text.find("://");
    const auto scheme = text.substr(0, scheme_end == std::string_view::npos ? 0 : scheme_end);
    if (scheme != "http" && scheme != "https") {
        refuse("it must begin with http:// or https://");
    }
    auto rest = text.substr(scheme_end + 3);
    const auto at = rest.find('@');
    if (at == std::string_view::npos) {
        refuse("it has no key before an @");
    }
    const auto keys = rest.substr(0, at);
    const auto key = keys.substr(0, keys.find(':'));  // the rest is a secret of old servers
    rest.remove_prefix(at + 1);
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    const auto slash = rest.find('/');
    const auto last_slash = rest.rfind('/');
    if (!is_word(key)) {
        refuse("its key must be letters and digits");
    }
    if (slash == std::string_view::npos || slash == 0 || !is_word(rest.substr(last_slash + 1))) {
        refuse("it has no project after the host");
    }
    if (rest.find_first_of("?#@ \t\r\n") != std::string_view::npos) {
        refuse("there is more than a host, a path and a project");
    }
    const auto place = std::string(scheme) + "://" + std::string(rest.substr(0, last_slash));
    return {place + "/api/" + std::string(rest.substr(last_slash + 1)) + "/envelope/",
            std::string(key)};
}

}  // namespace postrider::sinks
