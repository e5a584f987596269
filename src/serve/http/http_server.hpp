#pragma once

#include <httplib.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "base/descriptor.hpp"
#include "serve/http/byte_budget.hpp"
#include "serve/http/connection_table.hpp"
#include "serve/http/transport.hpp"
#include "serve/options.hpp"

namespace postrider::serve {

/// Accepts connections, one thread each, and lets cpp-httplib route and answer their requests. The
/// accept loop replaces that of cpp-httplib, which ends at the first unknown error.
class http_server : public httplib::Server {
  public:
    http_server(const serve_options& limits, const tls_identity* identity);
    ~http_server() override;

    /// Listens, reports the port, and starts to accept. Throws config_invalid when the address or
    /// the port is not available.
    void start(const std::string& address, int port, const std::function<void(int)>& tell_port);
    /// Ends every connection and waits for their threads.
    void stop_serving();

    byte_budget& budget() { return budget_; }

  private:
    struct conversation {
        std::thread thread;
        std::atomic<bool> finished = false;
    };
    using seat = std::unique_ptr<connection_table::seat>;

    void accept_all();
    void accept_one();
    void begin_conversation(int socket);
    void converse(int socket, seat assigned);
    void converse(transport& bytes, connection_table::seat& mine);
    template <typename Stream>
    bool answer(Stream& stream, bool last, bool& closed);
    void join_finished();

    const serve_options& limits_;
    const tls_identity* identity_;
    byte_budget budget_;
    connection_table table_;
    std::list<conversation> conversations_;  ///< of the accepting thread
    std::thread accepting_;
    descriptor listening_;
    std::atomic<bool> stopping_ = false;
};

}  // namespace postrider::serve
