#pragma once

#include <span>
#include <string>

#include "base/embedded_files.hpp"

namespace postrider::cli {

/// docs/reference/sql.md: every function and view that a role may use, with declaration, contract
/// and roles, and the internal definitions to which their contracts refer.
std::string sql_page(std::span<const embedded_file> files);

}  // namespace postrider::cli
