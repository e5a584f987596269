#pragma once

#include <curl/curl.h>

#include <memory>
#include <new>
#include <postrider/error.hpp>
#include <string>

// Owners of libcurl's objects, for the libraries that send requests: sinks and relay.

namespace postrider {

struct free_multi {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};
struct free_easy {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
using curl_multi = std::unique_ptr<CURLM, free_multi>;
using curl_easy = std::unique_ptr<CURL, free_easy>;

/// The headers of a request.
class header_lines {
  public:
    header_lines() = default;
    header_lines(const header_lines&) = delete;
    header_lines& operator=(const header_lines&) = delete;
    ~header_lines() { curl_slist_free_all(list_); }
    /// Throws error when the line contains a line end.
    void add(const std::string& line) {
        if (line.find_first_of("\r\n") != std::string::npos) {
            throw error(errc::config_invalid, "a header of an HTTP request contains a line end");
        }
        auto* longer = curl_slist_append(list_, line.c_str());
        if (longer == nullptr) {
            throw std::bad_alloc();
        }
        list_ = longer;
    }
    curl_slist* get() const { return list_; }

  private:
    curl_slist* list_ = nullptr;
};

}  // namespace postrider
