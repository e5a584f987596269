-- retention_partitions(dry_run): drops the oldest partition of the log, if it is older than the longest time in the
-- outbox's policies: the log is removed in whole partitions, whatever the classes of its messages.
-- Returns: the partitions that are old enough, up to the first that was dropped; held_by is the consumer that is still
--   owed a message.
-- Raises: 55P03 when the log was busy.
-- postrider: after drop_partitions, retention_note
create or replace function postrider.retention_partitions(p_dry_run boolean)
    returns table (partition text, dropped boolean, held_by text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set jit = off
    as $$
declare
    v_before timestamptz := (
        select case when bool_or(disposal = 'keep') then '-infinity' else clock_timestamp() - max(active_ttl + grace) end
        from postrider.retention_policy where entity = 'outbox');
    v_dropped int := 0;
begin
    if p_dry_run then
        return query
        select p.name, h.held_by is null, h.held_by
        from postrider.partitions() p
        cross join lateral (select postrider.partition_holder(p.name) as held_by) h
        where p.to_at <= v_before;
        return;
    end if;
    for partition, dropped, held_by in select * from postrider.drop_partitions(v_before, 1) loop
        v_dropped := v_dropped + dropped::int;
        return next;
    end loop;
    perform postrider.retention_note('partitions', 0, v_dropped);
end
$$;
