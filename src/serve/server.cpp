#include "serve/server.hpp"

#include <postrider/error.hpp>

#include "base/encoding/gzip.hpp"
#include "serve/auth/gate.hpp"
#include "serve/auth/secret.hpp"
#include "serve/http/http_connection.hpp"
#include "serve/http/http_server.hpp"
#include "serve/routes/routes.hpp"
#include "serve/services.hpp"

namespace postrider::serve {
namespace {

// The result of the gate, from before the body is read to the route.
thread_local gate::passed admitted;

void answer_problem(httplib::Response& response, const problem& refusal) {
    response.status = refusal.http_status();
    if (refusal.retry_after > 0) {
        response.set_header("Retry-After", std::to_string(refusal.retry_after));
    }
    if (refusal.code == errc::unauthenticated) {
        response.set_header("WWW-Authenticate", "Bearer");
    }
    response.set_header("Cache-Control", "no-store");
    response.set_content(refusal.json(), problem_type);
}

problem budget_spent() {
    return {.code = errc::too_many_requests,
            .detail = "too many large requests and responses in memory; try again",
            .status = 503,
            .retryable = true,
            .retry_after = 5};
}

// The body has arrived, and its bytes are counted.
bool hold_document(const std::string& body, const route& endpoint) {
    // A parsed document takes up to this many times the memory of its text; an edit is not parsed.
    const std::size_t factor = endpoint.large_body ? 3 : 32;
    return http_connection::current().hold(body.size() *
                                           (factor - http_connection::held_per_body_byte));
}

std::string etag_of(const answer& made) {
    constexpr std::size_t digits = 32;
    const auto digest = made.file != nullptr ? made.file->sha256 : sha256_hex(made.body);
    return "W/\"" + digest.substr(0, digits) + "\"";
}

void set_encoding(httplib::Response& response, bool compressed) {
    response.set_header("Vary", "Accept-Encoding");
    if (compressed) {
        response.set_header("Content-Encoding", "gzip");
    }
}

// The memory of a response is charged to the connection until the last byte is sent. Health checks
// are answered also when the budget is spent: their responses are small.
void put_body(httplib::Response& response, answer&& made, const serve_options& limits) {
    const bool compressed = http_connection::current().accepts_gzip();
    if (made.file != nullptr) {
        const std::string_view text = compressed ? made.file->gzip : made.file->text;
        set_encoding(response, compressed);
        response.set_content_provider(
            text.size(), made.type,
            [text](std::size_t from, std::size_t size, httplib::DataSink& sink) {
                return sink.write(text.data() + from, size);
            });
        return;
    }
    if (made.body.size() > limits.answer_max) {
        throw error(errc::too_large, "the answer has more than " +
                                         std::to_string(limits.answer_max) +
                                         " bytes; ask for fewer rows with limit");
    }
    if (!admitted.endpoint->health && !http_connection::current().hold(made.body.size())) {
        answer_problem(response, budget_spent());
        return;
    }
    constexpr std::size_t worth_compressing = 1024;
    const bool shorter = compressed && made.body.size() >= worth_compressing;
    set_encoding(response, shorter);
    response.body = shorter ? gzip(made.body, gzip_effort::fast) : std::move(made.body);
    response.set_header("Content-Type", made.type);
}

void answer_with(const httplib::Request& request, httplib::Response& response, answer&& made,
                 const serve_options& limits) {
    response.status = made.status;
    if (!made.set_cookie.empty()) {
        response.set_header("Set-Cookie", made.set_cookie);
    }
    if (made.keep && request.method != "POST") {
        const auto etag = etag_of(made);
        response.set_header("ETag", etag);
        response.set_header("Cache-Control",
                            made.immutable ? "public, max-age=31536000, immutable" : "no-cache");
        if (request.get_header_value("If-None-Match").find(etag) != std::string::npos) {
            response.status = 304;
            return;
        }
    } else {
        response.set_header("Cache-Control", "no-store");
    }
    put_body(response, std::move(made), limits);
}

void run(services& with, const httplib::Request& request, httplib::Response& response) {
    const auto& endpoint = *admitted.endpoint;
    const call asked{request,         with,
                     admitted.holder, admitted.path_parameters,
                     admitted.token,  admitted.session_until};
    if (!hold_document(request.body, endpoint)) {
        answer_problem(response, budget_spent());
        return;
    }
    try {
        if (endpoint.stream) {
            response.set_header("Cache-Control", "no-store");
            endpoint.stream(asked, response);
        } else {
            answer_with(request, response, endpoint.run(asked), with.options);
            // Signing in and out changes no figures.
            if (request.method == "POST" && endpoint.needed >= standing::operators) {
                with.screen.forget();
            }
        }
    } catch (const std::exception& thrown) {
        for (const auto* name : {"ETag", "Content-Encoding", "Vary", "Set-Cookie"}) {
            response.headers.erase(name);
        }
        answer_problem(response, problem_of(thrown));
    }
}

}  // namespace

struct server::parts {
    explicit parts(serve_options options)
        : with(std::move(options)),
          identity(with.options.certificate.empty()
                       ? nullptr
                       : std::make_unique<tls_identity>(with.options.certificate,
                                                        with.options.private_key)),
          endpoints(routes(with.options)),
          entrance(with, endpoints, identity != nullptr),
          http(with.options, identity.get()) {}

    void require_safe_address();
    void install();

    services with;
    std::unique_ptr<tls_identity> identity;
    std::vector<route> endpoints;
    gate entrance;
    http_server http;
    int port = 0;
};

void server::parts::require_safe_address() {
    const auto& options = with.options;
    if (options.certificate.empty() != options.private_key.empty()) {
        throw error(errc::config_invalid, "TLS requires both a certificate and its key");
    }
    if (is_loopback(options.address)) {
        return;
    }
    if (!identity) {
        throw error(errc::config_invalid, options.address +
                                              " is not a loopback address: give --tls-cert and "
                                              "--tls-key, or listen on 127.0.0.1");
    }
    if (options.open_metrics) {
        throw error(errc::config_invalid, "--open-metrics requires a loopback address");
    }
    if (!with.database.with(store::any_token_in_use)) {
        throw error(errc::config_invalid, options.address +
                                              " is not a loopback address: create an access token "
                                              "first, `postrider token create`");
    }
}

void server::parts::install() {
    http.set_default_headers(gate::headers(identity != nullptr));
    static_cast<void>(page_assets::all());
    http.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
            auto& connection = http_connection::current();
            admitted = {};
            pool::act_for({});
            std::optional<problem> wrong;
            try {
                wrong = entrance.check(request, admitted);
            } catch (const std::exception& thrown) {
                wrong = problem_of(thrown);
            }
            if (wrong) {
                // An unread body must not be parsed as the next request.
                if (connection.body_left() > 0) {
                    connection.close_after();
                    response.set_header("Connection", "close");
                }
                answer_problem(response, *wrong);
                return httplib::Server::HandlerResponse::Handled;
            }
            // All that have no token are one client.
            pool::act_for(admitted.token.empty() ? "-" : admitted.holder.name);
            connection.begin_body();
            return httplib::Server::HandlerResponse::Unhandled;
        });
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
        run(with, request, response);
    };
    http.Get("/.*", handle);
    http.Post("/.*", handle);
    http.set_exception_handler([](const auto&, httplib::Response& response, std::exception_ptr) {
        answer_problem(response, {errc::database_error, "internal error"});
    });
    // Requests that cpp-httplib refuses.
    const httplib::Server::Handler refuse = [](const httplib::Request&,
                                               httplib::Response& response) {
        if (response.body.empty()) {
            auto& connection = http_connection::current();
            answer_problem(response, connection.body_over_budget()
                                         ? budget_spent()
                                         : problem{.code = errc::invalid_argument,
                                                   .detail = "malformed request",
                                                   .status = response.status});
            connection.close_after();
        }
    };
    http.set_error_handler(refuse);
}

server::server(serve_options options) : parts_(std::make_unique<parts>(std::move(options))) {
    parts_->require_safe_address();
    parts_->install();
    const auto& settings = parts_->with.options;
    parts_->http.start(settings.address, settings.port, [this](int port) {
        parts_->port = port;
        parts_->entrance.set_port(port);
        parts_->with.browsers.emplace(parts_->identity != nullptr, port);
    });
}

server::~server() {
    parts_->with.figures.stop();
    parts_->http.stop_serving();
}

int server::port() const { return parts_->port; }

std::string server::url() const {
    const auto& address = parts_->with.options.address;
    const bool six = address.find(':') != std::string::npos;
    return (parts_->identity ? "https://" : "http://") + (six ? "[" + address + "]" : address) +
           ":" + std::to_string(port()) + "/";
}

std::string server::link() const {
    const auto& token = parts_->with.options.link_token;
    return token.empty() ? url() : url() + "#token=" + token;
}

}  // namespace postrider::serve
