-- claim_due(worker, limit, deadline, alone, batches, hold): claim_due_raw() with documents as jsonb.
-- p_batches and the other arguments are claim_due_raw()'s.
-- Returns, raises, touches: as claim_due_raw().
-- postrider: grant worker
-- postrider: after claim_due_raw, readable
create or replace function postrider.claim_due(
    p_worker uuid, p_limit int default 10, p_deadline interval default null, p_alone boolean default true,
    p_batches jsonb default '{}', p_hold int default 0
) returns table (
    delivery_id bigint,
    lease_token uuid,
    deadline timestamptz,
    handler text,
    attempts int,
    cycle int,
    alone boolean,
    id uuid,
    event_type text,
    event_version int,
    occurred_at timestamptz,
    source text,
    target text,
    workspace_id uuid,
    payload jsonb,
    headers jsonb,
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
begin
    return query
    select d.delivery_id, d.lease_token, d.deadline, d.handler, d.attempts, d.cycle, d.alone, d.id, d.event_type,
           d.event_version, d.occurred_at, d.source, d.target, d.workspace_id, postrider.readable(d.payload),
           postrider.readable(d.headers), d.idempotency_key, d.ordering_key, d.partition_key, d.trace_context, d.content_class, d.generation
    from postrider.claim_due_raw(p_worker, p_limit, p_deadline, p_alone, p_batches, p_hold) d;
end
$$;
