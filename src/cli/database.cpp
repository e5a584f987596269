#include "cli/database.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <postrider/error.hpp>

#include "cli/configured_relay.hpp"
#include "cli/libpq_variables.hpp"
#include "cli/output/say.hpp"
#include "cli/output/terminal_text.hpp"
#include "embedded/postmaster.hpp"
#include "migrate/recorded.hpp"
#include "pg/conninfo.hpp"

namespace postrider::cli {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

struct config_settings {
    std::string database;
    std::string deployment;
    std::string relay_to;
};

void refuse_open_file(const fs::path& file, const config_settings& found) {
    std::error_code ignored;
    const auto rights = fs::status(file, ignored).permissions();
    // Credentials of a broker stand before an @ or in the query of its URL.
    const bool secret = (!found.database.empty() && pg::has_password(found.database)) ||
                        found.relay_to.find_first_of("@?") != std::string::npos;
    if ((rights & fs::perms::others_write) != fs::perms::none) {
        throw error(
            errc::config_invalid,
            file.string() + " can be changed by every user of this machine: run `chmod o-w` on it");
    }
    if ((rights & fs::perms::others_read) != fs::perms::none && secret) {
        throw error(errc::config_invalid,
                    file.string() +
                        " holds a password, and every user of this machine may read it: run "
                        "`chmod o-rwx` on it, or use a password file (PGPASSFILE or ~/.pgpass)");
    }
}

config_settings settings_in(const fs::path& file) {
    constexpr std::uintmax_t bytes_max = 65536;
    std::error_code ignored;
    if (const auto size = fs::file_size(file, ignored); !ignored && size > bytes_max) {
        throw error(errc::config_invalid, file.string() + " has more than 64 KiB");
    }
    config_settings found;
    std::vector<CLI::ConfigItem> items;
    try {
        items = CLI::ConfigTOML().from_file(file.string());
    } catch (const CLI::Error& problem) {
        throw error(errc::config_invalid, file.string() + ": " + problem.what());
    }
    for (const auto& item : items) {
        // A section begins with an item of the name ++ and its own among the parents.
        const bool section = !item.parents.empty();
        const auto name = item.fullname();
        auto* value = name == "database"     ? &found.database
                      : name == "deployment" ? &found.deployment
                      : name == "relay_to"   ? &found.relay_to
                                             : nullptr;
        if (section || value == nullptr || item.inputs.size() != 1) {
            throw error(errc::config_invalid,
                        file.string() + ": unknown " +
                            (section ? "section [" + item.parents.front() + "]"
                                     : "setting '" + name + "'") +
                            "; known: database = \"postgresql://...\", deployment = \"NAME\", "
                            "relay_to = \"nats://...\"");
        }
        *value = item.inputs.front();
        if (value->empty()) {
            throw error(errc::config_invalid,
                        file.string() + ": " + name +
                            (name == "database" ? " is empty; give a value, or remove the line to "
                                                  "use the private PostgreSQL"
                                                : " is empty; give a value, or remove the line"));
        }
    }
    refuse_open_file(file, found);
    return found;
}

config_settings read_config(const context& shared) {
    const fs::path file =
        shared.config_file.empty() ? default_config_file() : fs::path(shared.config_file);
    std::error_code ignored;
    if (!shared.config_file.empty() && !fs::exists(file, ignored)) {
        throw error(errc::config_invalid, file.string() + " does not exist; see --config");
    }
    if (file.empty() || !fs::exists(file, ignored)) {
        return {};
    }
    if (!fs::is_regular_file(file, ignored)) {
        throw error(errc::config_invalid, file.string() + " is not a regular file; see --config");
    }
    return settings_in(file);
}

void refuse_password_in_arguments(const std::string& url) {
    if (pg::has_password(url)) {
        throw usage_error(
            "--database holds a password, which every user of this machine could read: leave it "
            "out and use a password file (PGPASSFILE or ~/.pgpass), or put the whole URL into "
            "POSTRIDER_DATABASE_URL or the configuration file");
    }
}

}  // namespace

std::string_view to_string(database_source source) {
    switch (source) {
        case database_source::flag:
            return "--database";
        case database_source::environment:
            return "POSTRIDER_DATABASE_URL";
        case database_source::config_file:
            return "configuration file";
        case database_source::embedded:
            break;
    }
    return "embedded";
}

fs::path default_config_file() {
    if (const auto base = environment("XDG_CONFIG_HOME"); !base.empty()) {
        return fs::path(base) / "postrider/config.toml";
    }
    const auto home = environment("HOME");
    return home.empty() ? fs::path{} : fs::path(home) / ".config/postrider/config.toml";
}

database_choice choose_database(const context& shared) {
    if (!shared.database.empty()) {
        refuse_password_in_arguments(shared.database);
        return {database_source::flag, shared.database};
    }
    // An empty variable is a mistake: the command must not run against another database.
    if (const char* url = std::getenv("POSTRIDER_DATABASE_URL"); url != nullptr) {
        if (*url == '\0') {
            throw usage_error(
                "POSTRIDER_DATABASE_URL is empty: name a database, or unset it to use the "
                "configuration file or the private PostgreSQL");
        }
        return {database_source::environment, url};
    }
    if (auto url = read_config(shared).database; !url.empty()) {
        return {database_source::config_file, std::move(url)};
    }
    return {database_source::embedded, {}};
}

std::string choose_deployment(const context& shared, const std::string& flag) {
    if (!flag.empty()) {
        return flag;
    }
    if (const char* name = std::getenv("POSTRIDER_DEPLOYMENT"); name != nullptr) {
        if (*name == '\0') {
            throw usage_error(
                "POSTRIDER_DEPLOYMENT is empty: name the deployment, or unset it to expect none");
        }
        return name;
    }
    return read_config(shared).deployment;
}

std::string configured_relay(const context& shared) { return read_config(shared).relay_to; }

open_database::open_database(const context& shared, lifetime how, const stop_signal* stop) {
    const auto choice = choose_database(shared);
    if (choice.source != database_source::embedded) {
        conninfo_ = choice.url;
        return;
    }
    set_libpq_variables_aside();
    embedded::stop_check stopped;
    if (stop != nullptr) {
        stopped = [stop] { return stop->wait_for(std::chrono::milliseconds(0)); };
    }
    server_.emplace(embedded::server_options{.data_dir = shared.data_dir,
                                             .bin_dir = shared.bin_dir,
                                             .fsync = !shared.no_fsync,
                                             .adopt = how == lifetime::service,
                                             .stop = std::move(stopped)});
    server_->start();
    conninfo_ = server_->conninfo();
}

pg::connection open_database::session() const {
    pg::connection opened(conninfo_);
    migrate::require_schema(opened);
    return opened;
}

void open_database::require_server() const {
    if (server_ && !server_->running()) {
        throw connection_error("the private PostgreSQL in " + server_->where().root.string() +
                               " has ended; committed data is safe and available after the next "
                               "start. The end of its log:\n" +
                               embedded::tail_of(server_->where().log));
    }
}

void open_database::stay_until(const stop_signal& stop) const {
    constexpr std::chrono::seconds between_looks{1};
    while (!stop.wait_for(between_looks)) {
        require_server();
    }
}

open_database::~open_database() {
    if (!server_ || keep_) {
        return;
    }
    try {
        server_->stop();
    } catch (const std::exception& problem) {
        say("postrider: {}\n", printable_lines(problem.what(), "  "));
    }
}

}  // namespace postrider::cli
