#pragma once

#include <string_view>

namespace postrider::migrate {

/// What a database or a role may have set must not change what a migration makes, end it early, or
/// let a superuser run what others put into a schema of theirs.
inline constexpr std::string_view migration_settings =
    "set search_path = pg_catalog, pg_temp;\n"
    "set client_min_messages = warning;\n"
    "set standard_conforming_strings = on;\n"
    "set statement_timeout = 0;\n"
    "set idle_in_transaction_session_timeout = 0;\n";

/// Who else than us owns the schema; nobody whose tables, views and functions could be trusted.
inline constexpr std::string_view foreign_owner =
    "select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid = "
    "n.nspowner where n.nspname = 'postrider' and r.rolname not in ('postrider_owner', "
    "current_user) and not r.rolsuper";

}  // namespace postrider::migrate
