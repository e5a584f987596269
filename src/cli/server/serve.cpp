#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <postrider/error.hpp>

#include "base/json/json.hpp"
#include "cli/commands.hpp"
#include "cli/operate/operating.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"
#include "cli/stop_signal.hpp"
#include "serve/auth/secret.hpp"
#include "serve/routes/reference.hpp"
#include "serve/server.hpp"

namespace postrider::cli {
namespace {

struct serve_flags {
    std::string address = "127.0.0.1";
    int port = 7432;
    std::string certificate;
    std::string private_key;
    std::vector<std::string> hosts;
    std::string token_file;
    std::string link_role = "admin";
    bool no_link = false;
    bool open_metrics = false;
    std::string trace_link;
    bool reference = false;
    int sessions = 4;
    serve::connection_limits connections = {};
};

// Created with mode 0600, so that no other user can read it at any time.
void write_secret(const std::string& path, const std::string& secret) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const auto line = secret + "\n";
    const bool written =
        file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (file >= 0) {
        ::close(file);
    }
    if (!written) {
        throw error(errc::config_invalid, "the token cannot be written to " + path);
    }
}

void print_start(const context& shared, const serve_flags& flags, const serve::server& running) {
    // With --token-file the token is not printed.
    const auto where = flags.token_file.empty() ? running.link() : running.url();
    if (shared.json) {
        json_object line;
        line.add("url", running.url()).add("port", running.port());
        if (where != running.url()) {
            line.add("link", where);
        }
        fmt::print("{}\n", line.text());
    } else if (where != running.url()) {
        fmt::print("open {}\n(the link contains a token that is valid until this program ends)\n",
                   where);
    } else {
        fmt::print("serving at {}\n", where);
    }
    std::fflush(stdout);
}

// The page is served in any case: it shows the error, and works once the error is resolved.
void warn_about_schema(const open_database& database) {
    try {
        static_cast<void>(database.session());
    } catch (const error& problem) {
        say("postrider: warning: {}\n", printable_lines(problem.what(), "  "));
    }
}

// The page makes a link of it, so it must not be a script.
std::optional<std::string> trace_link_of(const serve_flags& flags) {
    const auto& link = flags.trace_link;
    if (link.empty()) {
        return std::nullopt;
    }
    if ((!link.starts_with("https://") && !link.starts_with("http://")) ||
        link.find("{trace}") == std::string::npos) {
        throw usage_error("--trace-link must be an http or https address with {trace}, got " +
                          link);
    }
    return link;
}

void run_serve(const context& shared, const serve_flags& flags) {
    const stop_signal stop;
    const open_database database(shared, open_database::lifetime::service, &stop);
    serve::serve_options options{.database = database.conninfo(),
                                 .address = flags.address,
                                 .port = flags.port,
                                 .certificate = flags.certificate,
                                 .private_key = flags.private_key,
                                 .allowed_hosts = flags.hosts,
                                 .open_metrics = flags.open_metrics,
                                 .trace_link = trace_link_of(flags),
                                 .link_token = flags.no_link ? "" : serve::make_token(),
                                 .link_name = whoami(),
                                 .link_role = flags.link_role,
                                 .connections = flags.connections,
                                 .sessions = flags.sessions};
    warn_about_schema(database);
    const auto token = options.link_token;
    const serve::server running(std::move(options));
    if (!flags.token_file.empty() && !token.empty()) {
        write_secret(flags.token_file, token);
    }
    print_start(shared, flags, running);
    database.stay_until(stop);
}

void add_limits(CLI::App& command, serve::connection_limits& limits) {
    const auto add = [&](const char* name, int& value, int low, const char* help) {
        command.add_option(name, value, help)->check(CLI::Range(low, 10000))->capture_default_str();
    };
    add("--connections", limits.total, 8,
        "maximum number of HTTP connections; health checks are answered beyond it");
    add("--connections-per-address", limits.per_address, 1,
        "maximum number of HTTP connections of one client address");
    add("--connections-per-token", limits.per_token, 1,
        "maximum number of HTTP connections of one access token");
    add("--streams", limits.streams, 1, "maximum number of live streams");
    add("--streams-per-address", limits.streams_per_address, 1,
        "maximum number of live streams of one client address");
    add("--streams-per-token", limits.streams_per_token, 1,
        "maximum number of live streams of one access token");
    command.add_option("--trusted-proxy", limits.trusted_proxies,
                       "address of a reverse proxy: the limits per address then apply to the "
                       "clients it names in X-Forwarded-For");
}

}  // namespace

void add_serve(CLI::App& app, context& shared) {
    auto* command = app.add_subcommand("serve", "Serve the operator's page, API and metrics");
    const auto flags = std::make_shared<serve_flags>();
    command->add_option("--address", flags->address, "address to listen on")->capture_default_str();
    command->add_option("--port", flags->port, "port to listen on; 0 selects a free port")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    command->add_option("--tls-cert", flags->certificate, "certificate chain, PEM");
    command->add_option("--tls-key", flags->private_key, "private key of the certificate, PEM");
    command->add_option("--allow-host", flags->hosts,
                        "additional host name of this server, for example behind a reverse proxy");
    command->add_option(
        "--token-file", flags->token_file,
        "write the token of the link to this file (mode 0600) instead of printing it");
    command->add_option("--link-role", flags->link_role, "role of the link")
        ->check(CLI::IsMember({"viewer", "operator", "admin"}))
        ->capture_default_str();
    command->add_flag("--no-link", flags->no_link,
                      "accept only tokens of `postrider token create`");
    command->add_flag("--open-metrics", flags->open_metrics,
                      "serve /metrics without a token; on loopback only");
    command->add_option(
        "--trace-link", flags->trace_link,
        "address of a trace, with {trace} for its id: links of the page lead there");
    command->add_option("--sessions", flags->sessions, "number of database sessions")
        ->check(CLI::Range(serve::serve_options::sessions_min, 100))
        ->capture_default_str();
    add_limits(*command, flags->connections);
    command->add_flag("--reference", flags->reference, "print the reference of the API and exit");
    command->footer(
        "Runs until SIGINT, SIGTERM or SIGHUP. An address other than loopback requires TLS and a "
        "token.\nThe database role needs postrider_operator; with pg_monitor it can name the "
        "sessions that hold\nback the horizon.\n\n"
        "Examples:\n"
        "  postrider serve\n"
        "  postrider serve --address 10.0.0.5 --tls-cert cert.pem --tls-key key.pem --no-link");
    command->callback([&shared, flags] {
        if (flags->reference) {
            fmt::print("{}", serve::reference_page());
        } else {
            run_serve(shared, *flags);
        }
    });
}

}  // namespace postrider::cli
