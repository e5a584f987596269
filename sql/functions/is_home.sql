-- is_home(): whether the cursors were made in the database cluster this connection is in.
-- Returns: true when the epoch that was rebased last is this cluster's.
-- postrider: after system_identifier
create or replace function postrider.is_home() returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
    select coalesce((select e.system_identifier = postrider.system_identifier()
                     from postrider.epoch e
                     where e.rebased_at is not null
                     order by e.rebased_at desc
                     limit 1), false)
    $$;
