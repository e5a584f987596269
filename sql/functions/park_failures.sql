-- park_failures(lease, seqs, failures): gives messages of a lease that were not delivered a delivery of
-- their own, and lets conclude() decide on each. p_failures is settle()'s.
-- Touches: delivery, message and handler (read).
-- postrider: after segment, park, conclude, handlers_for, ring
create or replace function postrider.park_failures(
    p_lease postrider.lease, p_seqs bigint[], p_failures jsonb
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_channel text;
    v_items jsonb;
    v_outcomes jsonb;
begin
    select channel into strict v_channel from postrider.consumer where id = p_lease.consumer_id;
    select jsonb_agg(jsonb_build_object('message', to_jsonb(m), 'handler', h.handler) || (f.item - 'handler'))
    into v_items
    from postrider.segment(p_lease) m
    join jsonb_array_elements(p_failures) as f(item) on (f.item ->> 'seq')::bigint = m.seq
    cross join lateral unnest(
        case when f.item ->> 'handler' is null
             then postrider.handlers_for(p_lease.consumer_id, m.event_type, m.xid, m.seq)
             else array[f.item ->> 'handler'] end) as h(handler)
    where m.seq = any (p_seqs);
    if v_items is null then
        return;
    end if;

    perform postrider.park(p_lease.consumer_id, v_items, p_lease.worker_id, p_lease.token);
    select jsonb_agg(i.item - 'message' || jsonb_build_object('delivery', d.id, 'token', p_lease.token))
    into v_outcomes
    from jsonb_array_elements(v_items) as i(item)
    join postrider.delivery d
      on d.seq = (i.item -> 'message' ->> 'seq')::bigint and d.consumer_id = p_lease.consumer_id
     and d.handler = i.item ->> 'handler' and d.lease_token = p_lease.token;
    if v_outcomes is not null then
        perform postrider.conclude(v_outcomes);
    end if;
    perform postrider.ring(v_channel);
end
$$;
