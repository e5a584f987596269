-- set_aside(lease, mine): parks those members of a new lease that have to wait: due later, of another than the
-- default priority, for a handler this worker does not have, or published to this consumer by name although
-- none of its handlers takes the type. p_mine are the worker's handlers.
-- Returns: the members that are left to hand out, and how many deliveries were made.
-- Touches: lease, delivery, message and handler (read).
-- postrider: after segment, handlers_for, park, ring
create or replace function postrider.set_aside(
    p_lease postrider.lease, p_mine text[], out members bigint[], out parked int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_items jsonb;
begin
    with routed as materialized (
        select m.*, r.handlers, m.priority = 0 and coalesce(m.available_at <= v_now, true) as ready
        from postrider.segment(p_lease) m
        cross join lateral (select postrider.handlers_for(p_lease.consumer_id, m.event_type, m.xid, m.seq) as handlers offset 0) r
        where m.seq = any (p_lease.members)
    )
    select coalesce((select array_agg(r.seq order by r.xid, r.seq)
                     from routed r where r.ready and r.handlers && p_mine), '{}'),
           (select jsonb_agg(jsonb_build_object('message', to_jsonb(r), 'handler', h.handler))
            from routed r
            cross join lateral unnest(
                case when r.handlers = '{}' then array['']
                     when r.ready then array(select unnest(r.handlers) except select unnest(p_mine))
                     else r.handlers end) as h(handler))
    into set_aside.members, v_items;

    parked := 0;
    if v_items is not null then
        parked := postrider.park(p_lease.consumer_id, v_items);
        perform postrider.ring(c.channel) from postrider.consumer c where c.id = p_lease.consumer_id;
    end if;
    if set_aside.members <> p_lease.members then
        update postrider.lease l
        set members = set_aside.members,
            finished_at = case when set_aside.members = '{}' then v_now end
        where l.consumer_id = p_lease.consumer_id and l.id = p_lease.id;
    end if;
end
$$;
