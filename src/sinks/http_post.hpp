#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace postrider::sinks {

struct http_answer {
    long status = 0;           ///< 0: there was no answer
    std::string problem = {};  ///< reason of the failure, for people
    std::chrono::seconds retry_after{0};

    bool ok() const { return status >= 200 && status < 300; }
    bool worth_retrying() const { return status == 0 || status == 429 || status >= 500; }
};

/// Posts to one address over a connection that is kept. For one thread. Its texts never name the
/// address, which may hold a secret.
class http_post {
  public:
    using headers = std::vector<std::pair<std::string, std::string>>;

    struct place {
        std::string name;  ///< for error texts: "the collector"
        std::string url;
        headers extra = {};
        std::chrono::milliseconds timeout = std::chrono::seconds(10);
        std::string content_type = "application/json";
    };
    /// Throws error when the address is not an http or https URL, or a header has a line end.
    explicit http_post(const place& to);
    http_post(const http_post&) = delete;
    http_post& operator=(const http_post&) = delete;
    ~http_post();

    /// Calls `give_up` several times a second while it waits. Never throws for network errors.
    http_answer send(const std::string& body, const std::function<bool()>& give_up);
    /// The same with one more header, for this request alone.
    http_answer send(const std::string& body, const std::string& header,
                     const std::function<bool()>& give_up);

  private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace postrider::sinks
