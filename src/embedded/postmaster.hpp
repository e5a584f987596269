#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace postrider::embedded {

/// The process that postmaster.pid names, if it is alive and really serves this cluster. After a
/// crash the process id may belong to any other process.
std::optional<pid_t> find_postmaster(const std::filesystem::path& cluster);

/// True while this process lives and serves this cluster.
bool serves(pid_t process, const std::filesystem::path& cluster);

/// True when postmaster.pid names a live process that is certainly not the server.
bool names_a_stranger(const std::filesystem::path& cluster);

/// The socket directory in postmaster.pid; empty while the server has not written it.
std::filesystem::path recorded_sockets(const std::filesystem::path& cluster);

/// The last lines of a log, for an error message.
std::string tail_of(const std::filesystem::path& log);

}  // namespace postrider::embedded
