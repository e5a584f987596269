#include "relay/stream_audit.hpp"

#include <postrider/error.hpp>

#include "relay/relay_url.hpp"
#if POSTRIDER_RELAY_NATS
#include "relay/nats/stream_ids.hpp"
#endif

namespace postrider::relaying {
namespace {

relay_url address_of(const source_options& of) {
    auto from = parse_relay_url(of.from);
    if (from.scheme != "nats" && from.scheme != "tls") {
        throw usage_error(
            "only a stream of JetStream can be compared with the log: the address "
            "must be nats:// or tls://");
    }
#if !POSTRIDER_RELAY_NATS
    throw usage_error("this build cannot read JetStream: it was built without libnats");
#endif
    return from;
}

}  // namespace

#if POSTRIDER_RELAY_NATS

std::optional<std::chrono::system_clock::time_point> stream_begin(const source_options& of) {
    return stream_begin(nats_settings_of(address_of(of), of.credentials_file, of.timeout),
                        of.stream);
}

std::unordered_set<std::string> stream_ids(const source_options& of,
                                           std::chrono::system_clock::time_point since) {
    return stream_ids(nats_settings_of(address_of(of), of.credentials_file, of.timeout), of.stream,
                      since);
}

#else

std::optional<std::chrono::system_clock::time_point> stream_begin(const source_options& of) {
    address_of(of);
    return std::nullopt;
}

std::unordered_set<std::string> stream_ids(const source_options& of,
                                           std::chrono::system_clock::time_point) {
    address_of(of);
    return {};
}

#endif

}  // namespace postrider::relaying
