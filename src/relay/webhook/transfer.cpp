#include "relay/webhook/transfer.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <postrider/version.hpp>

#include "relay/webhook/address_guard.hpp"

namespace postrider::relaying {
namespace {

// A receiver has no reason to send more; the rest is not read.
constexpr std::size_t answer_bytes_max = 65'536;
constexpr long connect_ms_max = 5'000;
// Servers may write any number.
constexpr curl_off_t retry_after_max = curl_off_t{24} * 60 * 60;

}  // namespace

transfer::transfer(const outgoing& one, const webhook_settings& how)
    : allow_private_(how.allow_private_addresses) {
    auto* easy = easy_.get();
    if (easy == nullptr) {
        throw std::bad_alloc();
    }
    add_headers(one, how);
    const auto body = one.message->payload();
    const auto timeout = static_cast<long>(how.timeout.count());
    curl_easy_setopt(easy, CURLOPT_URL, one.destination.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    // A proxy would connect to addresses that this process does not see.
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::min(timeout, connect_ms_max));
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
}

void transfer::add_headers(const outgoing& one, const webhook_settings& how) {
    const auto id = one.message->id();
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    headers_.add("Expect:");
    headers_.add("User-Agent: postrider/" + std::string(version()));
    headers_.add("webhook-id: " + id);
    headers_.add("webhook-timestamp: " + std::to_string(now));
    if (!how.signer.empty()) {
        headers_.add("webhook-signature: " + how.signer.sign(id, now, one.message->payload()));
    }
    for (const auto& [name, value] : one.headers) {
        headers_.add(name + ": " + value);
    }
}

// Called after name resolution with the address that would be connected to, so that a name cannot
// resolve to another one between check and use.
curl_socket_t transfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    auto& mine = *static_cast<transfer*>(self);
    if (!mine.allow_private_ && !is_public_address(&address->addr, address->addrlen)) {
        mine.refused_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t transfer::take_answer(char*, std::size_t size, std::size_t count, void* self) {
    auto& mine = *static_cast<transfer*>(self);
    mine.answer_bytes_ += size * count;
    return mine.answer_bytes_ > answer_bytes_max ? 0 : size * count;
}

outcome transfer::outcome_of(CURLcode ended) const {
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    const bool cut = ended == CURLE_WRITE_ERROR && answer_bytes_ > answer_bytes_max;
    return status != 0 && (ended == CURLE_OK || cut) ? answered(status) : failed(ended);
}

outcome transfer::answered(long status) const {
    if (status >= 200 && status < 300) {
        return delivered();
    }
    auto text = "the webhook answers " + std::to_string(status);
    auto name = "http:" + std::to_string(status);
    if (status == 429 || status == 503) {
        curl_off_t seconds = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &seconds);
        if (seconds > 0) {
            return retry_after(std::chrono::seconds(std::min(seconds, retry_after_max)),
                               std::move(text), std::move(name));
        }
    }
    return status >= 500 || status == 429 ? transient(std::move(text), std::move(name))
                                          : terminal(std::move(text), std::move(name));
}

outcome transfer::failed(CURLcode ended) const {
    std::string text = curl_easy_strerror(ended);
    if (refused_) {
        return terminal(
            "the webhook has a loopback, private or link-local address, which is not allowed",
            "relay_address_refused");
    }
    // A receiver that the request reached may have failed because of the message.
    curl_off_t sent = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &sent);
    if (sent == 0) {
        return unavailable("the webhook cannot be reached: " + text);
    }
    return transient("the webhook did not answer: " + text,
                     ended == CURLE_OPERATION_TIMEDOUT ? "timeout" : "relay_no_answer");
}

}  // namespace postrider::relaying
