-- system_identifier(): the identity of the database cluster this connection is in.
-- Returns: the identifier that initdb gave the cluster; a dump restored elsewhere meets another one.
create or replace function postrider.system_identifier() returns bigint
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$ select system_identifier from pg_catalog.pg_control_system() $$;
