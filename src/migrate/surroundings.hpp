#pragma once

#include <string_view>

namespace postrider::migrate {

/// Settings of a database or a role must not change the result of a migration, end it early, or
/// make a superuser run objects that another role planted in its schema.
inline constexpr std::string_view migration_settings =
    "set search_path = pg_catalog, pg_temp;\n"
    "set client_min_messages = warning;\n"
    "set standard_conforming_strings = on;\n"
    "set statement_timeout = 0;\n"
    "set idle_in_transaction_session_timeout = 0;\n";

/// The owner of the schema if it is not trusted: neither the owner role, nor the caller, nor a
/// superuser.
inline constexpr std::string_view foreign_owner =
    "select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid = "
    "n.nspowner where n.nspname = 'postrider' and r.rolname not in ('postrider_owner', "
    "current_user) and not r.rolsuper";

}  // namespace postrider::migrate
