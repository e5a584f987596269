#include "serve/http/transport.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <postrider/error.hpp>

namespace postrider::serve {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

std::string tls_problem() {
    std::string text(256, '\0');
    ERR_error_string_n(ERR_get_error(), text.data(), text.size());
    text.resize(text.find('\0'));
    return text;
}

}  // namespace

tls_identity::tls_identity(const std::string& certificate, const std::string& private_key)
    : context_(SSL_CTX_new(TLS_server_method())) {
    ERR_clear_error();
    // The suites of TLS 1.3 are all AEAD; of TLS 1.2 only those, with forward secrecy.
    constexpr auto suites = "ECDHE+AESGCM:ECDHE+CHACHA20";
    if (!context_ || SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context_.get(), suites) != 1 ||
        SSL_CTX_use_certificate_chain_file(context_.get(), certificate.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context_.get(), private_key.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context_.get()) != 1) {
        throw error(errc::config_invalid, "TLS: " + certificate + " and " + private_key +
                                              " cannot be used: " + tls_problem());
    }
    SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // SSL_read returns after each record without data, such as KeyUpdate, so that deadlines apply.
    SSL_CTX_clear_mode(context_.get(), SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_mode(context_.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

transport::transport(int socket, const tls_identity* identity, const std::atomic<bool>& stopping)
    : socket_(socket), stopping_(stopping) {
    ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
    // TCP_NODELAY: head and body are written separately.
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    // Limits the kernel memory of a slow reader, which no other limit covers.
    const int send_buffer = 128 << 10;
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
    if (identity != nullptr) {
        tls_.reset(SSL_new(identity->context()));
        // Without a TLS session the connection would be served in the clear.
        if (!tls_ || SSL_set_fd(tls_.get(), socket_) != 1) {
            throw std::bad_alloc();
        }
    }
}

transport::~transport() {
    if (tls_) {
        SSL_shutdown(tls_.get());
        tls_.reset();
    }
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
}

bool transport::wait(short events) {
    // In small steps, so that a stopping server does not wait for clients.
    constexpr milliseconds step{100};
    while (!stopping_) {
        const auto left = duration_cast<milliseconds>(deadline_ - clock::now());
        if (left.count() <= 0) {
            return false;
        }
        pollfd waiting{socket_, events, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left, step).count()) + 1);
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
    return false;
}

template <typename Call>
long transport::tls_call(Call&& call) {
    while (true) {
        ERR_clear_error();
        const int done = call();
        if (done > 0) {
            return done;
        }
        switch (SSL_get_error(tls_.get(), done)) {
            case SSL_ERROR_WANT_READ:
                if (!wait(POLLIN)) {
                    return -1;
                }
                break;
            case SSL_ERROR_WANT_WRITE:
                if (!wait(POLLOUT)) {
                    return -1;
                }
                break;
            case SSL_ERROR_ZERO_RETURN:
                return 0;
            default:
                return -1;
        }
    }
}

bool transport::begin() {
    return !tls_ || tls_call([this] { return SSL_accept(tls_.get()); }) > 0;
}

long transport::read(char* to, std::size_t size) {
    if (tls_) {
        return tls_call([&] { return SSL_read(tls_.get(), to, static_cast<int>(size)); });
    }
    while (true) {
        const auto got = ::recv(socket_, to, size, 0);
        if (got >= 0) {
            return got;
        }
        if ((errno != EAGAIN && errno != EINTR) || !wait(POLLIN)) {
            return -1;
        }
    }
}

long transport::write(const char* from, std::size_t size) {
    if (tls_) {
        return tls_call([&] { return SSL_write(tls_.get(), from, static_cast<int>(size)); });
    }
    while (true) {
        const auto sent = ::send(socket_, from, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            return sent;
        }
        if ((errno != EAGAIN && errno != EINTR) || !wait(POLLOUT)) {
            return -1;
        }
    }
}

void transport::finish() {
    constexpr std::chrono::seconds timeout{2};
    constexpr long bytes_max = 32 << 20;
    if (tls_) {
        SSL_shutdown(tls_.get());
    }
    ::shutdown(socket_, SHUT_WR);
    set_deadline(clock::now() + timeout);
    std::array<char, 16384> thrown_away{};
    for (long seen = 0; seen < bytes_max && wait(POLLIN);) {
        const auto got = ::recv(socket_, thrown_away.data(), thrown_away.size(), 0);
        if (got <= 0) {
            return;
        }
        seen += got;
    }
}

}  // namespace postrider::serve
