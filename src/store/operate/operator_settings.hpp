#pragma once

namespace postrider::store {

/// For sessions of operators: fixed output formats, and a search_path without user schemas, so that
/// functions planted there cannot run with the privileges of the operator.
inline constexpr const char* operator_settings =
    "set search_path = pg_catalog, pg_temp; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; "
    "set intervalstyle = 'postgres'; set jit = off";

}  // namespace postrider::store
