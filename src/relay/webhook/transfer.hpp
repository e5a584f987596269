#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/curl_handles.hpp"
#include "relay/publisher.hpp"
#include "relay/webhook/signature.hpp"

namespace postrider::relaying {

struct webhook_settings {
    webhook_signer signer;
    std::chrono::milliseconds timeout;
    bool allow_private_addresses = false;
};

/// One POST request. It must outlive its stay in a multi handle.
class transfer {
  public:
    transfer(const outgoing& one, const webhook_settings& how);
    transfer(const transfer&) = delete;
    transfer& operator=(const transfer&) = delete;
    ~transfer() = default;

    CURL* handle() const { return easy_.get(); }
    outcome outcome_of(CURLcode ended) const;

  private:
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
    static std::size_t take_answer(char*, std::size_t size, std::size_t count, void* self);
    void add_headers(const outgoing& one, const webhook_settings& how);
    outcome answered(long status) const;
    outcome failed(CURLcode ended) const;

    const bool allow_private_;
    bool refused_ = false;          ///< an address was
    std::size_t answer_bytes_ = 0;  ///< read and dropped
    header_lines headers_;
    curl_easy easy_{curl_easy_init()};
};

}  // namespace postrider::relaying
