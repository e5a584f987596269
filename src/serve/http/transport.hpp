#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace postrider::serve {

/// The certificate and key of a server that speaks TLS.
class tls_identity {
  public:
    /// Throws config_invalid when they cannot be read or do not belong together.
    tls_identity(const std::string& certificate, const std::string& private_key);
    SSL_CTX* context() const { return context_.get(); }

  private:
    struct release {
        void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
    };
    std::unique_ptr<SSL_CTX, release> context_;
};

/// The bytes of one connection. Every read and write ends at its deadline, also with a slow peer,
/// and soon after the server stops.
class transport {
  public:
    using clock = std::chrono::steady_clock;

    /// Owns the socket from now on, unless it throws bad_alloc. `identity`: nullptr for a
    /// connection in the clear.
    transport(int socket, const tls_identity* identity, const std::atomic<bool>& stopping);
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    ~transport();

    void set_deadline(clock::time_point deadline) { deadline_ = deadline; }
    /// The TLS handshake; true on success.
    bool begin();
    /// Number of bytes read, 0 at the end, -1 after the deadline or an error.
    long read(char* to, std::size_t size);
    long write(const char* from, std::size_t size);
    /// Shuts down writing and discards input for a moment: a client that is still sending would not
    /// read the response otherwise.
    void finish();
    int socket() const { return socket_; }
    bool encrypted() const { return tls_ != nullptr; }

  private:
    bool wait(short events);
    template <typename Call>
    long tls_call(Call&& call);

    struct release {
        void operator()(SSL* session) const noexcept { SSL_free(session); }
    };
    int socket_;
    const std::atomic<bool>& stopping_;
    std::unique_ptr<SSL, release> tls_;
    clock::time_point deadline_;
};

}  // namespace postrider::serve
