#pragma once

#include <sys/types.h>

namespace postrider::bench {

/// Seconds of processor time that a process has used.
double cpu_seconds(pid_t process);
/// The same for a process, its living children and those that ended: a whole PostgreSQL server.
double cpu_seconds_with_children(pid_t parent);
/// The most memory it ever had resident.
double peak_resident_mib(pid_t process);

}  // namespace postrider::bench
