#include "sinks/metrics_answer.hpp"

#include <algorithm>
#include <optional>

#include "base/encoding/gzip.hpp"

namespace postrider {
namespace {

// The value of a header of a head in lower case.
std::optional<std::string_view> header(std::string_view head, const std::string& name) {
    const auto before = "\r\n" + name + ":";
    const auto found = head.find(before);
    if (found == std::string_view::npos) {
        return std::nullopt;
    }
    const auto begin = found + before.size();
    auto value = head.substr(begin, head.find("\r\n", begin) - begin);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    return value.substr(0, value.find_last_not_of(" \t") + 1);
}

std::string response(const std::string& status, const std::string& body,
                     const std::string& headers = "Content-Type: text/plain\r\n") {
    return "HTTP/1.1 " + status +
           "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
           headers + "\r\n" + body;
}

}  // namespace

std::string metrics_answer(std::string_view head, const std::function<std::string()>& text) {
    std::string lower(head);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto line = head.substr(0, head.find("\r\n"));
    const auto space = line.find(' ');
    const auto last = line.rfind(' ');
    if (last == space || !line.substr(last + 1).starts_with("HTTP/1.")) {
        return response("400 Bad Request", "the request line must be `GET /metrics HTTP/1.1`\n");
    }
    if (header(lower, "transfer-encoding") ||
        header(lower, "content-length").value_or("0") != "0") {
        return response("400 Bad Request", "a request must have no body\n");
    }
    const auto target = line.substr(space + 1, last - space - 1);
    if (target.substr(0, target.find('?')) != "/metrics") {
        return response("404 Not Found", "the metrics are at /metrics\n");
    }
    if (line.substr(0, space) != "GET") {
        return response("405 Method Not Allowed", "", "Allow: GET\r\n");
    }
    const std::string type = "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n";
    const auto accepted = header(lower, "accept-encoding").value_or("");
    if (accepted.find("gzip") == std::string_view::npos ||
        accepted.find("gzip;q=0") != std::string_view::npos) {
        return response("200 OK", text(), type);
    }
    return response("200 OK", gzip(text(), gzip_effort::fast), type + "Content-Encoding: gzip\r\n");
}

}  // namespace postrider
