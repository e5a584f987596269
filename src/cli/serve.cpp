#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <postrider/error.hpp>

#include "base/json.hpp"
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
    bool reference = false;
    int sessions = 4;
    serve::connection_limits connections = {};
};

// Nobody else may read it, not even for the moment between making and closing it.
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

void print_start(const context& shared, const serve_flags& given, const serve::server& running) {
    // With a file the token stands there and nowhere else.
    const auto where = given.token_file.empty() ? running.link() : running.url();
    if (shared.json) {
        json_object line;
        line.add("url", running.url()).add("port", running.port());
        if (where != running.url()) {
            line.add("link", where);
        }
        fmt::print("{}\n", line.text());
    } else if (where != running.url()) {
        fmt::print("open {}\n(the link holds a token that is good until this program ends)\n",
                   where);
    } else {
        fmt::print("serving at {}\n", where);
    }
    std::fflush(stdout);
}

// The page is served all the same: it says what is wrong, and is right as soon as that is.
void warn_about_schema(const open_database& database) {
    try {
        static_cast<void>(database.session());
    } catch (const error& problem) {
        say("postrider: warning: {}\n", printable_lines(problem.what(), "  "));
    }
}

void run(const context& shared, const serve_flags& given) {
    const stop_signal stop;
    const open_database database(shared, open_database::lifetime::service, &stop);
    serve::serve_options options{.database = database.conninfo(),
                                 .address = given.address,
                                 .port = given.port,
                                 .certificate = given.certificate,
                                 .private_key = given.private_key,
                                 .allowed_hosts = given.hosts,
                                 .open_metrics = given.open_metrics,
                                 .link_token = given.no_link ? "" : serve::make_token(),
                                 .link_name = whoami(),
                                 .link_role = given.link_role,
                                 .connections = given.connections,
                                 .sessions = given.sessions};
    warn_about_schema(database);
    const auto token = options.link_token;
    const serve::server running(std::move(options));
    if (!given.token_file.empty() && !token.empty()) {
        write_secret(given.token_file, token);
    }
    print_start(shared, given, running);
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
    const auto given = std::make_shared<serve_flags>();
    command->add_option("--address", given->address, "where to listen")->capture_default_str();
    command->add_option("--port", given->port, "0: any that is free")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    command->add_option("--tls-cert", given->certificate, "certificate chain, PEM");
    command->add_option("--tls-key", given->private_key, "its key, PEM");
    command->add_option("--allow-host", given->hosts,
                        "a name that browsers may know this server by, behind a proxy for example");
    command->add_option(
        "--token-file", given->token_file,
        "write the link's token to this file, for its owner only, and do not print it");
    command->add_option("--link-role", given->link_role, "what the link may do")
        ->check(CLI::IsMember({"viewer", "operator", "admin"}))
        ->capture_default_str();
    command->add_flag("--no-link", given->no_link,
                      "only tokens of `postrider token create` are good");
    command->add_flag("--open-metrics", given->open_metrics,
                      "/metrics needs no token; on loopback only");
    command->add_option("--sessions", given->sessions, "database sessions")
        ->check(CLI::Range(2, 100))
        ->capture_default_str();
    add_limits(*command, given->connections);
    command->add_flag("--reference", given->reference, "print the reference of the API and end");
    command->footer(
        "Runs until SIGINT, SIGTERM or SIGHUP. An address that others can reach needs TLS and a "
        "token.\n"
        "The database role needs postrider_operator; with pg_monitor it can name who holds\n"
        "back the horizon.\n\n"
        "Examples:\n"
        "  postrider serve\n"
        "  postrider serve --address 10.0.0.5 --tls-cert cert.pem --tls-key key.pem --no-link");
    command->callback([&shared, given] {
        if (given->reference) {
            fmt::print("{}", serve::reference_page());
        } else {
            run(shared, *given);
        }
    });
}

}  // namespace postrider::cli
