-- conclude_delivered(outcomes, worker, now): ends the runs that were delivered without an error text: most runs that a worker
-- reports. They need no decision. p_outcomes is conclude()'s; the other outcomes in it are left alone.
-- Returns: the deliveries that ended, those of their runs that a replay or a circuit counts, the messages with a unique key or a set,
--   and the deliveries that an ordering key waited for.
-- Touches: delivery (update, only of rows in flight under the given token), circuit (read).
create or replace function postrider.conclude_delivered(
    p_outcomes jsonb, p_worker uuid, p_now timestamptz, out delivered bigint[], out ended postrider.ended_run[],
    out keyed bigint[], out ordered bigint[]
)
    language plpgsql volatile
    as $$
begin
    with done as (
        update postrider.delivery d
        set status = 'delivered', outcome = 'delivered', delivered_at = p_now, fingerprint = null,
            claimed_at = null, worker_id = null, lease_token = null, deadline = null
        from pg_catalog.jsonb_to_recordset(p_outcomes) as o(
            delivery bigint, token uuid, outcome text, error text, error_class text)
        where o.outcome = 'delivered' and o.error is null and o.error_class is null
          and d.id = o.delivery and d.lease_token = o.token and d.worker_id = p_worker
          and d.status is not distinct from 'in_flight'  -- so that the plan does not use the index of deliveries in flight, however small it was
        returning d.id, d.consumer_id, d.handler, d.replay_id, d.seq, d.unique_key, d.set_id, d.heads
    )
    select pg_catalog.array_agg(d.id),
           pg_catalog.array_agg(row(d.id, d.consumer_id, d.handler, 'delivered', 'delivered', d.replay_id,
                                    k.state is not null, null, null, 1, null)::postrider.ended_run)
               filter (where k.state is not null or d.replay_id is not null),
           pg_catalog.array_agg(d.seq) filter (where d.unique_key is not null or d.set_id is not null),
           pg_catalog.array_agg(d.id) filter (where d.heads is not null)
    into delivered, ended, keyed, ordered
    from done d
    left join postrider.circuit k on k.consumer_id = d.consumer_id and k.handler = d.handler;
end
$$;
