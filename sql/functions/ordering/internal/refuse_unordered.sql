-- refuse_unordered(cursor, taken): refuses messages with an ordering key among those that waited and that a claim of an ordered consumer took: a
-- priority or an available_at says that a message may overtake others or wait, and its key that it may not. They become dead letters of
-- the error class not_orderable, which hold no key.
-- Returns: the others. Touches: delivery and the tables that conclude() touches; message, handler (read).
-- postrider: after taken_messages, route, park, conclude
create or replace function postrider.refuse_unordered(p_cursor postrider.claim_cursor, p_taken postrider.taken)
    returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_consumer int := -p_cursor.consumer_id;
    v_token uuid := pg_catalog.gen_random_uuid();
    t postrider.taken := p_taken;
    p record;
begin
    select array_agg(m.xid) as xids, array_agg(m.seq) as seqs, array_agg(n.name) as handlers into p
    from postrider.taken_messages(p_cursor.channel, t) m
    cross join lateral unnest(coalesce(nullif(postrider.route(v_consumer, m.event_type), '{}'), array[''])) as n(name)
    where m.ordering_key is not null;
    if p.seqs is not null then
        perform postrider.park(v_consumer, p_cursor.channel, p.xids, p.seqs, p.handlers, t.from_at, t.to_at);
        update postrider.delivery
        set status = 'in_flight', claimed_at = clock_timestamp(), lease_token = v_token, deadline = clock_timestamp()
        where seq = any (p.seqs) and consumer_id = v_consumer and status = 'pending';
        perform postrider.conclude(
            (select jsonb_agg(jsonb_build_object(
                        'delivery', d.id, 'token', v_token, 'outcome', 'terminal', 'error_class', 'not_orderable', 'error',
                        'the consumer is ordered, and a message with an ordering key must not have a priority or an available_at'))
             from postrider.delivery d where d.seq = any (p.seqs) and d.consumer_id = v_consumer and d.lease_token = v_token),
            p_bury => true);
        select array_agg(o.seq order by o.n), array_agg(o.xid order by o.n) into t.seqs, t.xids
        from unnest(p_taken.seqs, p_taken.xids) with ordinality as o(seq, xid, n)
        where o.seq <> all (p.seqs);
        t.seqs := coalesce(t.seqs, '{}');
        t.xids := coalesce(t.xids, '{}');
        t.keyed := array(select k from unnest(t.keyed) k where k <> all (p.seqs));
    end if;
    return t;
end
$$;
