-- drop_partitions(before): drops the log's partitions that end before an instant and that nobody is owed
-- anything from. A consumer that stopped reading keeps its partitions. Waits for locks for at most 100 ms.
-- Returns: the partitions that are old enough, each with whether it was dropped and who still holds it.
-- Raises: 55P03 when the log was busy; call again.
-- Touches: the partitions of message; consumer and lease (read).
-- postrider: after partitions, cursor_of, covers
create or replace function postrider.drop_partitions(p_before timestamptz)
    returns table (partition text, dropped boolean, held_by text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    set lock_timeout = '100ms'
    as $$
declare
    p record;
begin
    perform pg_advisory_xact_lock(1886351204, 0);
    for p in select * from postrider.partitions() where to_at <= least(p_before, clock_timestamp()) loop
        partition := p.name;
        -- Waits for whoever still writes into it; from here on nobody does, so what is found stays true, while
        -- publishers and claims go on.
        execute format('lock table postrider.%I in share mode', p.name);
        held_by := null;
        execute format(
            'select c.name from postrider.consumer c
             cross join lateral (select postrider.cursor_of(c.id) as at offset 0) cur
             where exists (select from postrider.%1$I m
                           where m.channel = c.channel and not postrider.covers(cur.at, m.xid, m.seq))
                or exists (select from postrider.lease l
                           join postrider.%1$I m on m.seq = any (l.members) and m.channel = c.channel
                           where l.consumer_id = c.id and l.finished_at is null)
             limit 1', p.name)
        into held_by;
        dropped := held_by is null;
        if dropped then
            execute format('drop table postrider.%I', p.name);
        end if;
        return next;
    end loop;
end
$$;
