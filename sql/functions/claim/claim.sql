-- claim(worker, limit, deadline): leases the next messages of the worker's consumer to the worker.
-- Returns: at most p_limit messages in the order of exchange(), each with the lease it belongs to. When all it read was for
--   other consumers, for scan_time(), or has to wait, for a second, it returns none, keeps its progress and rings, so that a waiting caller calls again.
--   Payload and headers are as they were published. A cast to jsonb fails, or takes long, for some documents that a producer can publish.
-- Raises: the errors of exchange().
-- postrider: grant worker
-- postrider: after exchange, require_worker, ring, scan_time
create or replace function postrider.claim(
    p_worker uuid, p_limit int default 10, p_deadline interval default null
) returns table (
    lease_id bigint,
    lease_token uuid,
    seq bigint,
    id uuid,
    event_type text,
    event_version int,
    occurred_at timestamptz,
    source text,
    target text,
    workspace_id uuid,
    payload json,
    headers json,
    idempotency_key text,
    ordering_key text,
    partition_key text,
    trace_context text,
    content_class text,
    generation bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_began constant timestamptz := clock_timestamp();
    v_stop timestamptz;  -- after the first batch, so that there is a second one
    v_parked int := 1;
begin
    -- All messages of a batch may have to wait or be for other consumers; later ones may be claimable.
    while v_parked <> 0 loop
        return query
        with batch as materialized (
            select * from postrider.exchange(p_worker, p_limit, p_deadline => p_deadline)
        ), summary as materialized (
            select set_config('postrider.parked', b.parked::text, true), b.lease_id, b.lease_token
            from batch b where b.seq is null
        )
        select s.lease_id, s.lease_token, b.seq, b.id, b.event_type, b.event_version, b.occurred_at, b.source,
               b.target, b.workspace_id, b.payload, b.headers, coalesce(b.idempotency_key, b.id::text),
               b.ordering_key, b.partition_key, b.trace_context, b.content_class, b.generation
        from summary s join batch b on b.seq is not null;
        exit when found;
        v_parked := current_setting('postrider.parked')::int;
        if v_parked < 0 and clock_timestamp() > v_began + postrider.scan_time() or v_parked > 0 and clock_timestamp() > v_stop then
            perform postrider.ring(c.channel)
            from postrider.consumer c where c.id = postrider.require_worker(p_worker);
            exit;
        end if;
        v_stop := coalesce(v_stop, clock_timestamp() + interval '1 second');
    end loop;
end
$$;
