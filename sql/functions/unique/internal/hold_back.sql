-- hold_back(cursor, taken): removes serial jobs whose key has a running job from the messages that a claim took. Each becomes a delivery
-- with available_at infinity; release_keys() makes it due.
-- Returns: the others. Touches: unique_job, delivery; message, handler (read).
-- postrider: after start_serial, taken_messages, route, park
create or replace function postrider.hold_back(p_cursor postrider.claim_cursor, p_taken postrider.taken) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_consumer int := -p_cursor.consumer_id;
    v_blocked bigint[] := postrider.start_serial(v_consumer, p_taken.keyed);
    t postrider.taken := p_taken;
    p record;
begin
    if v_blocked = '{}' then
        return t;
    end if;
    select array_agg(m.xid) as xids, array_agg(m.seq) as seqs, array_agg(n.name) as handlers into p
    from postrider.taken_messages(p_cursor.channel, t) m
    cross join lateral unnest(coalesce(nullif(postrider.route(v_consumer, m.event_type), '{}'), array[''])) as n(name)
    where m.seq = any (v_blocked);
    perform postrider.park(v_consumer, p_cursor.channel, p.xids, p.seqs, p.handlers, t.from_at, t.to_at);
    update postrider.delivery d set available_at = 'infinity'
    where d.seq = any (v_blocked) and d.consumer_id = v_consumer and d.status = 'pending';
    select coalesce(array_agg(o.seq order by o.n), '{}'), coalesce(array_agg(o.xid order by o.n), '{}'),
           case when p_taken.keys = '{}' then '{}' else coalesce(array_agg(o.key order by o.n), '{}') end
    into t.seqs, t.xids, t.keys
    from unnest(p_taken.seqs, p_taken.xids, p_taken.keys) with ordinality as o(seq, xid, key, n)
    where o.seq <> all (v_blocked);
    return t;
end
$$;
