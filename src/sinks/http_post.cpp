#include "sinks/http_post.hpp"

#include <algorithm>
#include <new>
#include <postrider/error.hpp>

#include "base/curl_handles.hpp"

namespace postrider::sinks {
namespace {

constexpr int look_up_ms = 50;
// Servers may write any number.
constexpr curl_off_t retry_after_max = curl_off_t{24} * 60 * 60;

std::size_t ignore_body(char*, std::size_t size, std::size_t count, void*) { return size * count; }

}  // namespace

struct http_post::state {
    std::string name;
    std::vector<std::string> headers;
    std::unique_ptr<header_lines> list;
    curl_multi multi{curl_multi_init()};
    curl_easy easy{curl_easy_init()};

    void use(const std::string& more) {
        auto fresh = std::make_unique<header_lines>();
        for (const auto& line : headers) {
            fresh->add(line);
        }
        if (!more.empty()) {
            fresh->add(more);
        }
        curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, fresh->get());
        list = std::move(fresh);
    }

    http_answer answer_of(CURLcode code) const {
        http_answer answer;
        curl_off_t retry_after = 0;
        curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &answer.status);
        curl_easy_getinfo(easy.get(), CURLINFO_RETRY_AFTER, &retry_after);
        answer.retry_after =
            std::chrono::seconds(std::clamp<curl_off_t>(retry_after, 0, retry_after_max));
        if (code != CURLE_OK) {
            answer.status = 0;
            answer.problem = curl_easy_strerror(code);
        } else if (!answer.ok()) {
            answer.problem = name + " answers " + std::to_string(answer.status);
        }
        return answer;
    }
};

http_post::http_post(const place& to) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (!to.url.starts_with("http://") && !to.url.starts_with("https://")) {
        throw error(errc::config_invalid,
                    "the address of " + to.name + " must begin with http:// or https://");
    }
    state_ = std::make_unique<state>();
    state_->name = to.name;
    auto* easy = state_->easy.get();
    if (ready != CURLE_OK || easy == nullptr || !state_->multi) {
        throw std::bad_alloc();
    }
    // Disables "Expect: 100-continue", which costs a second with old servers.
    state_->headers = {"Expect:", "Content-Type: " + to.content_type};
    for (const auto& [name, value] : to.extra) {
        state_->headers.push_back(std::string(name).append(": ").append(value));
    }
    state_->use({});
    curl_easy_setopt(easy, CURLOPT_URL, to.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(to.timeout.count()));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore_body);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
}

http_post::~http_post() = default;

http_answer http_post::send(const std::string& body, const std::string& header,
                            const std::function<bool()>& give_up) {
    state_->use(header);
    return send(body, give_up);
}

http_answer http_post::send(const std::string& body, const std::function<bool()>& give_up) {
    auto* easy = state_->easy.get();
    auto* multi = state_->multi.get();
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.c_str());
    curl_multi_add_handle(multi, easy);
    auto code = CURLE_ABORTED_BY_CALLBACK;
    int running = 1;
    while (running > 0 && curl_multi_perform(multi, &running) == CURLM_OK && running > 0 &&
           !give_up()) {
        curl_multi_poll(multi, nullptr, 0, look_up_ms, nullptr);
    }
    int left = 0;
    while (const auto* message = curl_multi_info_read(multi, &left)) {
        if (message->msg == CURLMSG_DONE) {
            code = message->data.result;
        }
    }
    auto answer = state_->answer_of(code);
    curl_multi_remove_handle(multi, easy);
    return answer;
}

}  // namespace postrider::sinks
