#pragma once

#include <filesystem>
#include <optional>

#include "embedded/child_process.hpp"

namespace postrider::embedded {

/// Where everything of one private server lies.
struct places {
    std::filesystem::path root;     ///< the data directory the user knows
    std::filesystem::path cluster;  ///< PostgreSQL's own
    std::filesystem::path sockets;  ///< 0700: who may enter it may connect
    std::filesystem::path log;
    std::filesystem::path start_lock;  ///< held while somebody starts or stops the server
    std::filesystem::path owner_lock;  ///< held by the process that stops the server at its end
};

/// $POSTRIDER_DATA_DIR, /var/lib/postrider for root, $XDG_DATA_HOME/postrider, or
/// ~/.local/share/postrider.
std::filesystem::path default_data_dir();

places places_in(const std::filesystem::path& data_dir);

/// Creates the data directory, through which `user` must be able to pass.
void create_root(const places& where, const std::optional<system_user>& user);

/// Creates a directory that belongs to `user` alone, unless it is there.
void create_private_directory(const std::filesystem::path& directory,
                              const std::optional<system_user>& user);

/// Creates the directories that belong to `user` alone.
void create_private_directories(const places& where, const std::optional<system_user>& user);

}  // namespace postrider::embedded
