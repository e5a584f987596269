-- is_home(): whether the cursors were made in the database cluster this connection is in.
-- Returns: true when the epoch that was rebased last is this cluster's, no other epoch has begun at a later message, and no
--   cursor is ahead of this cluster's transaction counter, as it is in a dump restored into an older copy of its cluster or
--   after pg_resetwal.
-- postrider: grant operator, viewer
-- postrider: after system_identifier
create or replace function postrider.is_home() returns boolean
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
    select coalesce((select e.system_identifier = postrider.system_identifier()
                            and not exists (select from postrider.epoch o
                                            where o.system_identifier <> e.system_identifier and o.first_seq >= e.first_seq)
                     from postrider.epoch e
                     where e.rebased_at is not null
                     order by e.rebased_at desc
                     limit 1), false)
       and not exists (
           select from postrider.consumer c
           cross join lateral (values (c.id), (-c.id)) as s(stream)
           cross join lateral (select l.open_snapshot from postrider.lease l
                               where l.consumer_id = s.stream order by l.id desc limit 1) l
           where pg_snapshot_xmax(l.open_snapshot) > pg_snapshot_xmax(pg_current_snapshot()))
    $$;
