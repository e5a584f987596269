#include "relay/make_stream.hpp"

#include <postrider/error.hpp>
#include <stdexcept>

#include "relay/relay_url.hpp"
#if POSTRIDER_RELAY_NATS
#include "relay/nats/nats_connection.hpp"
#endif

namespace postrider::relaying {

#if POSTRIDER_RELAY_NATS

void make_stream(const source_options& of, const std::string& subjects) {
    const auto address = parse_relay_url(of.from);
    if (address.scheme != "nats" && address.scheme != "tls") {
        throw usage_error("only NATS has streams to create: the address must be nats:// or tls://");
    }
    try {
        const auto connection = connect(nats_settings_of(address, of.credentials_file, of.timeout));
        jsCtx* raw = nullptr;
        require_ok(natsConnection_JetStream(&raw, connection.get(), nullptr));
        const std::unique_ptr<jsCtx, nats_free<jsCtx_Destroy>> at(raw);
        jsStreamInfo* info = nullptr;
        const auto status = js_GetStreamInfo(&info, raw, of.stream.c_str(), nullptr, nullptr);
        if (status == NATS_OK) {
            jsStreamInfo_Destroy(info);
            return;
        }
        if (status != NATS_NOT_FOUND) {
            throw nats_failure(status);
        }
        jsStreamConfig how;
        require_ok(jsStreamConfig_Init(&how));
        const char* subject = subjects.c_str();
        how.Name = of.stream.c_str();
        how.Subjects = &subject;
        how.SubjectsLen = 1;
        require_ok(js_AddStream(nullptr, raw, &how, nullptr, nullptr));
    } catch (const nats_failure& problem) {
        throw std::runtime_error(std::string("NATS: ") + problem.what());
    }
}

#else

void make_stream(const source_options&, const std::string&) {
    throw usage_error("this build cannot use JetStream: it was built without libnats");
}

#endif

}  // namespace postrider::relaying
