-- job_places(id): where a message is, for each consumer and handler.
-- state: queued (in the log), waiting (for its time), blocked (by a serial job of its unique key that runs, or
--   by an earlier message of its ordering key), retrying, in_flight, delivered,
--   dead, cancelled or discarded.
-- at: when it is due, when its run began, or when it ended.
-- Returns: one row per consumer and handler; none for an unknown message and for one that no consumer reads.
-- postrider: grant operator, viewer
-- postrider: after outbox, unique_keys, blocked_keys
create or replace function postrider.job_places(p_id uuid)
    returns table (consumer text, channel text, handler text, state text, at timestamptz, attempts int, worker uuid, error_class text,
                   unique_key text, delivery_id bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
begin
    return query
    select o.consumer, o.channel, o.handler,
           case when o.status in ('in_flight', 'delivered') then o.status
                when o.error_class = 'cancelled' and o.deleted_at is not null then 'cancelled'
                when o.deleted_at is not null then 'discarded'
                when o.status = 'failed' then 'dead'
                when b.id is distinct from o.id and b.key is not null then 'blocked'
                when o.attempts > 0 then 'retrying'
                when o.available_at = 'infinity' and k.key is not null and o.delivery_id is not null then 'blocked'
                when o.available_at > clock_timestamp() then 'waiting'
                else 'queued' end,
           case when o.status = 'in_flight' then o.claimed_at
                when o.status in ('delivered', 'failed') then coalesce(o.dead_at, o.delivered_at)
                else o.available_at end,
           o.attempts, o.worker_id, o.error_class, k.key, o.delivery_id
    from postrider.outbox o
    left join postrider.unique_keys k on k.id = o.id and k.consumer = o.consumer and k.channel = o.channel
    -- Looked up by the key, because the table may have millions of rows.
    left join lateral (select l.id, l.key from postrider.blocked_keys l
                       where l.consumer = o.consumer and l.channel = o.channel and l.key = o.ordering_key offset 0) b on true
    where o.id = p_id
    order by o.consumer, o.channel, o.handler;
end
$$;
