-- Promise: every table but the log can be updated while logical replication publishes it.
\ir ../include/promises.sql

do $$
declare
    v_without text;
begin
    select string_agg(c.relname, ', ') into v_without
    from pg_class c
    where c.relnamespace = 'postrider'::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relreplident not in ('f', 'i') and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary);
    assert v_without is null, 'no primary key and no replica identity: ' || v_without;
end
$$;
