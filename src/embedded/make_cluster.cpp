// The files in the cluster's directory before the server runs.
#include <fstream>
#include <postrider/error.hpp>

#include "embedded/files/safe_path.hpp"
#include "embedded/files/whole_file.hpp"
#include "embedded/native_library.hpp"
#include "embedded/server.hpp"

namespace postrider::embedded {
namespace fs = std::filesystem;
namespace {

// Empty when there is none, or none that we may read.
std::string content_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
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
    append_to_file(fresh / "postgresql.conf", "\ninclude 'postrider.conf'\n", user_,
                   options_.fsync);
    fs::rename(fresh, where_.cluster);
    // The server's user could have put a link in its place.
    const open_directory cluster(where_.cluster, user_ ? std::optional(user_->uid) : std::nullopt);
}

// The server's user may be unable to reach the program's folder, and a package may replace its
// files at any time. The copy belongs to the server and changes when the server starts.
std::string server::place_native_library() const {
    auto settings = native_settings(where_.cluster, binaries_.major_version);
    if (!options_.native || settings.empty()) {
        return {};
    }
    const auto source = native_library_beside_program(binaries_.major_version);
    const auto library = content_of(source);
    if (library.empty()) {
        return {};
    }
    replace_file(where_.cluster / source.filename(), library, user_, options_.fsync);
    if (binaries_.major_version >= extension_path_since) {
        place_extension(source.parent_path() / "extension");
    }
    return settings;
}

void server::place_extension(const fs::path& source) const {
    const auto folder = where_.cluster / "extension";
    create_private_directory(folder, user_);
    std::error_code missing;
    for (const auto& file : fs::directory_iterator(source, missing)) {
        replace_file(folder / file.path().filename(), content_of(file.path()), user_,
                     options_.fsync);
    }
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
    text += place_native_library();
    for (const auto& [name, value] : options_.settings) {
        text += name + " = " + quoted_setting(value) + "\n";
    }
    replace_file(where_.cluster / "postrider.conf", text, user_, options_.fsync);
}

}  // namespace postrider::embedded
