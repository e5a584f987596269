// What lies in the cluster's directory before the server runs.
#include <postrider/error.hpp>

#include "embedded/server.hpp"
#include "embedded/whole_file.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

std::string quoted_setting(const std::string& value) {
    std::string quoted = "'";
    for (const char c : value) {
        quoted += c;
        if (c == '\'' || c == '\\') {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace

void server::make_cluster() {
    if (cluster_version()) {
        return;
    }
    // Made aside and moved into place, so that an interrupted initdb leaves nothing half done. The
    // log directory is the one place below the root where the server's user may create files.
    const auto fresh = where_.log.parent_path() / "cluster.new";
    fs::remove_all(fresh);
    auto command = program("initdb", {"--pgdata", fresh.string(), "--username", "postrider",
                                      "--auth-local", "trust", "--auth-host", "reject",
                                      "--encoding", "UTF8", "--locale", "C", "--no-instructions"});
    if (!options_.fsync) {
        command.emplace_back("--no-sync");
    }
    const auto outcome = run_command(command, user_, where_.log.parent_path(), options_.stop);
    throw_if_stopped(options_.stop);
    if (!outcome.succeeded()) {
        fail("initdb failed", outcome.output);
    }
    append_to_file(fresh / "postgresql.conf", "\ninclude 'postrider.conf'\n", options_.fsync);
    fs::rename(fresh, where_.cluster);
}

void server::write_settings() const {
    std::string text =
        "# Written at every start.\n"
        "listen_addresses = ''\n"
        "port = 5432\n"
        "unix_socket_directories = " +
        quoted_setting(where_.sockets.string()) +
        "\n"
        "unix_socket_permissions = 0700\n"
        "logging_collector = off\n"
        "log_line_prefix = '%m [%p] '\n";
    if (!options_.fsync) {
        text += "fsync = off\nfull_page_writes = off\n";
    }
    for (const auto& [name, value] : options_.settings) {
        text += name + " = " + quoted_setting(value) + "\n";
    }
    replace_file(where_.cluster / "postrider.conf", text, user_, options_.fsync);
}

}  // namespace postrider::embedded
