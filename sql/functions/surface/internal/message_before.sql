-- message_before(channel, until): the transaction from which on a channel has no messages that were published before p_until.
-- The log is ordered by transaction and has no index by time, so the place is found by binary search in the partition of
-- p_until. It assumes that of ten consecutive transactions at least one published within ten minutes of its start.
-- Returns: null when few messages of the partition come after p_until, so that a scan is cheap.
-- postrider: after partitions
create or replace function postrider.message_before(p_channel text, p_until timestamptz) returns xid8
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set datestyle = 'ISO'
    set jit = off
    set enable_bitmapscan = off
    set enable_seqscan = off
    set enable_sort = off
    as $$
declare
    v_after timestamptz := p_until + interval '10 minutes';
    v_partition text;  -- a partition of the log, as a condition: access by its name would need separate rights
    -- Ten consecutive transactions, so that a single long transaction does not decide.
    v_look text := 'with recursive transaction as (
            (select m.xid, m.published_at from postrider.message m
             where m.channel = $1 and m.xid >= $2 and %1$s order by m.xid, m.seq limit 1)
            union all
            select n.xid, n.published_at
            from transaction t
            cross join lateral (
                select m.xid, m.published_at from postrider.message m
                where m.channel = $1 and m.xid > t.xid and %1$s order by m.xid, m.seq limit 1) n)
        select min(p.published_at) from (select t.published_at from transaction t limit 10) p having count(*) = 10';
    v_edge text := 'select m.xid::text::bigint from postrider.message m where channel = $1 and %s order by m.xid %s, m.seq %2$s limit 1';
    v_low bigint;
    v_high bigint;
    v_middle bigint;
    v_place bigint;
    v_found timestamptz;
begin
    select format('published_at >= %L and published_at < %L', from_at, to_at) into v_partition
    from postrider.partitions() where from_at <= p_until and v_after < to_at;
    if v_partition is null then
        return null;
    end if;
    v_look := format(v_look, v_partition);
    execute format(v_edge, v_partition, 'asc') into v_low using p_channel;
    execute format(v_edge, v_partition, 'desc') into v_high using p_channel;
    while v_low < v_high loop
        v_middle := (v_low + v_high) / 2;
        execute v_look into v_found using p_channel, v_middle::text::xid8;
        if v_found >= v_after then
            v_place := v_middle;
            v_high := v_middle;
        else
            v_low := v_middle + 1;
        end if;
    end loop;
    return v_place::text::xid8;
end
$$;
