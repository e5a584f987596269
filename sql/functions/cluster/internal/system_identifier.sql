-- system_identifier(): the identity of the database cluster this connection is in.
-- Returns: the identifier that initdb gave the cluster. Where the server does not permit pg_control_system(), the identity of the
--   materialized view incarnation: a physical copy keeps it, and a dump that is restored gets a new one. 0 when that has
--   none, which is the identity of no cluster.
create or replace function postrider.system_identifier() returns bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
        return (select system_identifier from pg_control_system());
    elsif (select relispopulated from pg_class where oid = 'postrider.incarnation'::regclass) then
        return (select ('x' || left(replace(id::text, '-', ''), 16))::bit(64)::bigint from postrider.incarnation);
    end if;
    return 0;
end
$$;
