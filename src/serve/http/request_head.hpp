#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postrider::serve {

/// The head of an HTTP/1 request, parsed strictly (RFC 9112). Every question of where a request
/// ends is answered here; cpp-httplib only sees heads that this parser has accepted.
struct request_head {
    int status = 0;                  ///< 0: accepted; otherwise the status of the refusal
    std::string detail = {};         ///< why it was refused
    std::string text = {};           ///< to hand on, without Range, Accept-Encoding and Expect
    bool gzip = false;               ///< the client accepts gzip
    std::size_t content_length = 0;  ///< bytes of the body that follows
    bool expects_continue = false;   ///< the client waits for 100 before it sends the body
};

constexpr std::size_t head_max = 32 << 10;  ///< bytes
constexpr int header_lines_max = 100;

/// How far a head has arrived.
struct head_progress {
    enum { incomplete, complete, malformed } state = incomplete;
    std::size_t size = 0;  ///< of a complete head, with the empty line
};

/// Looks for the empty line that ends a head, from byte `from` on. A line feed without its carriage
/// return is malformed at once: waiting for more would keep the connection until its deadline.
head_progress find_head_end(std::string_view bytes, std::size_t from = 0);

/// `bytes` is one complete head, with its empty line.
request_head parse_head(std::string_view bytes);

}  // namespace postrider::serve
