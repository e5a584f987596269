-- partitions(): the partitions of the log, oldest first, with their bounds.
-- Returns: name, from_at (-infinity for the first), to_at (infinity for the tail).
-- postrider: grant operator, viewer, agent
create or replace function postrider.partitions()
    returns table (name text, from_at timestamptz, to_at timestamptz)
    language sql stable
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    as $$
    select c.relname::text,
           coalesce(substring(b.bound from 'FROM [(]''([^'']+)''[)]')::timestamptz, '-infinity'),
           coalesce(substring(b.bound from 'TO [(]''([^'']+)''[)]')::timestamptz, 'infinity')
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
    where i.inhparent = 'postrider.message'::regclass
    order by 2
    $$;
