#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/context.hpp"
#include "cli/stop_signal.hpp"
#include "embedded/server.hpp"
#include "pg/connection.hpp"

namespace postrider::cli {

enum class database_source { flag, environment, config_file, embedded };

struct database_choice {
    database_source source;
    std::string url;  ///< empty for embedded
};

std::string_view to_string(database_source source);

/// $XDG_CONFIG_HOME or ~/.config, then postrider/config.toml; empty without a home.
std::filesystem::path default_config_file();

/// Flag, then POSTRIDER_DATABASE_URL, then the configuration file, then embedded. Throws
/// usage_error for a password on the command line, where every user of the machine can read it, and
/// for a setting that is there but empty.
database_choice choose_database(const context& shared);

/// The deployment that workers expect: the flag, then POSTRIDER_DEPLOYMENT, then the configuration
/// file; empty: none. Throws usage_error for a variable that is there but empty.
std::string choose_deployment(const context& shared, const std::string& flag);

/// The database of one command. Starts an embedded server if none is running; the destructor stops
/// it if this process is responsible for it.
class open_database {
  public:
    enum class lifetime { command, service };

    /// A signal received by `stop` interrupts the start of an embedded server:
    /// embedded::interrupted.
    explicit open_database(const context& shared, lifetime how = lifetime::command,
                           const stop_signal* stop = nullptr);
    open_database(const open_database&) = delete;
    open_database& operator=(const open_database&) = delete;
    ~open_database();

    const std::string& conninfo() const { return conninfo_; }
    /// A session; throws schema_error if this program does not support the schema.
    pg::connection session() const;
    bool is_embedded() const { return server_.has_value(); }
    /// Throws, with the end of its log, when an embedded server has stopped.
    void require_server() const;
    /// Waits for a signal; throws as require_server() does.
    void stay_until(const stop_signal& stop) const;
    /// Leaves an embedded server running.
    void keep() { keep_ = true; }

  private:
    std::optional<embedded::server> server_;
    std::string conninfo_;
    bool keep_ = false;
};

}  // namespace postrider::cli
