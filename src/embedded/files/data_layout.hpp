#pragma once

#include <filesystem>
#include <optional>

#include "embedded/run_command.hpp"

namespace postrider::embedded {

/// The files and directories of one private server.
struct data_layout {
    std::filesystem::path root;     ///< the data directory, as the user named it
    std::filesystem::path cluster;  ///< PostgreSQL's own
    std::filesystem::path sockets;  ///< 0700: only users who may enter it can connect
    std::filesystem::path log;
    std::filesystem::path start_lock;  ///< held while a process starts or stops the server
    std::filesystem::path owner_lock;  ///< held by the process that stops the server at its end
};

/// $POSTRIDER_DATA_DIR, /var/lib/postrider for root, $XDG_DATA_HOME/postrider, or
/// ~/.local/share/postrider.
std::filesystem::path default_data_dir();

data_layout layout_in(const std::filesystem::path& data_dir);

/// Creates the data directory, through which `user` must be able to pass.
void create_root(const data_layout& where, const std::optional<system_user>& user);

/// Creates a directory that belongs to `user` alone, unless it is there.
void create_private_directory(const std::filesystem::path& directory,
                              const std::optional<system_user>& user);

/// Creates the directories that belong to `user` alone.
void create_private_directories(const data_layout& where, const std::optional<system_user>& user);

}  // namespace postrider::embedded
