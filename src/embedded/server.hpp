#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embedded/binaries.hpp"
#include "embedded/files/data_layout.hpp"
#include "embedded/files/file_lock.hpp"
#include "embedded/interrupted.hpp"
#include "embedded/run_command.hpp"

namespace postrider::embedded {

struct server_options {
    std::filesystem::path data_dir = {};  ///< empty: default_data_dir()
    std::filesystem::path bin_dir = {};   ///< empty: searched
    bool fsync = true;                    ///< off only for disposable data
    /// Become responsible for a server whose starter died without stopping it.
    bool adopt = false;
    /// Native claims, where the library for them lies beside the program.
    bool native = true;
    /// Polled while start() waits. When it returns true, start() throws interrupted and leaves
    /// nothing running.
    stop_check stop = {};
    std::vector<std::pair<std::string, std::string>> settings = {};  ///< postgresql.conf
};

/// A private PostgreSQL in a directory of its own: reachable through a Unix socket there by the
/// user who started it (and root), and in no other way. Blocking; for one thread at a time. Any
/// number of processes may use the same directory.
class server {
  public:
    explicit server(server_options options);

    /// Uses the running server or starts it, making the cluster and the database when they are
    /// missing. Recovers after a crash. Throws with the tail of the log, or with the reason why a
    /// running server refuses the connection; then a server that it started is stopped.
    void start();

    /// Fast shutdown, only when this object is responsible() for the server.
    void stop();
    /// Fast shutdown, also of a server started by another process; nothing when it does not run.
    void stop_anyway();

    bool responsible() const { return owner_.held(); }
    bool running() const;

    std::string conninfo(const std::string& database = "postrider") const;
    const data_layout& where() const { return where_; }

  private:
    bool answers();
    bool wait_until_answering();
    void use_running();
    void shut_down();
    void make_cluster();
    std::string place_native_library() const;
    void place_extension(const std::filesystem::path& source) const;
    void write_settings() const;
    std::vector<std::string> start_command() const;
    void launch();
    void abandon_launch();
    void clear_stale_files() const;
    void make_database() const;
    std::optional<int> cluster_version() const;
    std::vector<std::string> program(const char* name, std::vector<std::string> arguments) const;
    [[noreturn]] void fail(const std::string& problem, const std::string& output) const;

    server_options options_;
    data_layout where_;
    std::optional<system_user> user_;
    server_binaries binaries_;
    file_lock owner_;
    std::string silence_;  ///< why the server does not answer yet
};

}  // namespace postrider::embedded
