#pragma once

namespace postrider::store {

/// For sessions of operators: values look the same everywhere, and what others put into a schema of
/// theirs is not run, however mighty the operator is.
inline constexpr const char* operator_settings =
    "set search_path = pg_catalog, pg_temp; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; "
    "set intervalstyle = 'postgres'";

}  // namespace postrider::store
