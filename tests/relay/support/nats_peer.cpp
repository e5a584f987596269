#include "relay/support/nats_peer.hpp"

#include <stdexcept>

namespace postrider::test {
namespace {

void require(natsStatus status) {
    if (status != NATS_OK) {
        throw std::runtime_error(std::string("nats_peer: ") + natsStatus_GetText(status));
    }
}

nats_peer::stored read(natsMsg* message) {
    nats_peer::stored made;
    made.subject = natsMsg_GetSubject(message);
    made.data.assign(natsMsg_GetData(message),
                     static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    const char** names = nullptr;
    int count = 0;
    require(natsMsgHeader_Keys(message, &names, &count));
    for (int i = 0; i < count; ++i) {
        const char* value = nullptr;
        require(natsMsgHeader_Get(message, names[i], &value));
        made.headers[names[i]] = value;
    }
    std::free(names);
    return made;
}

}  // namespace

nats_peer::nats_peer(const std::string& url) {
    require(natsConnection_ConnectTo(&connection_, url.c_str()));
    require(natsConnection_JetStream(&stream_, connection_, nullptr));
}

nats_peer::~nats_peer() {
    jsCtx_Destroy(stream_);
    natsConnection_Destroy(connection_);
}

void nats_peer::add_stream(const std::string& subjects) {
    jsStreamConfig how;
    require(jsStreamConfig_Init(&how));
    const char* all[] = {subjects.c_str()};
    how.Name = "S";
    how.Subjects = all;
    how.SubjectsLen = 1;
    require(js_AddStream(nullptr, stream_, &how, nullptr, nullptr));
}

std::size_t nats_peer::count() const {
    jsStreamInfo* info = nullptr;
    require(js_GetStreamInfo(&info, stream_, "S", nullptr, nullptr));
    const auto count = info->State.Msgs;
    jsStreamInfo_Destroy(info);
    return count;
}

void nats_peer::lose(std::uint64_t sequence) const {
    require(js_DeleteMsg(stream_, "S", sequence, nullptr, nullptr));
}

std::vector<nats_peer::stored> nats_peer::all() const {
    std::vector<stored> found;
    for (std::size_t i = 1; i <= count(); ++i) {
        natsMsg* message = nullptr;
        require(js_GetMsg(&message, stream_, "S", i, nullptr, nullptr));
        found.push_back(read(message));
        natsMsg_Destroy(message);
    }
    return found;
}

std::vector<std::string> nats_peer::header(const std::string& name) const {
    std::vector<std::string> values;
    for (const auto& one : all()) {
        values.push_back(one.headers.at(name));
    }
    return values;
}

}  // namespace postrider::test
