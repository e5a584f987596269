#pragma once

#include <map>
#include <string>
#include <vector>

namespace postrider::pg {

/// Throws usage_error when libpq cannot read the string. The text never repeats the string, which
/// may hold a password.
void check_conninfo(const std::string& conninfo);

/// True when the string itself holds a password.
bool has_password(const std::string& conninfo);

/// The string as PG* environment variables, for a child process: its arguments are public.
std::map<std::string, std::string> as_environment(const std::string& conninfo);

/// The environment variables that libpq reads.
std::vector<std::string> environment_names();

/// The address for people: host, port, database and role, never a password.
std::string describe_conninfo(const std::string& conninfo);

}  // namespace postrider::pg
