-- hand_out_limited(cursor, worker, taken, batch, limit): adds throttled messages that can start now to the messages that a claim already hands
-- out, up to p_limit in all.
-- Returns: taken and batch of all of them, and throttled: -1 if it added some, -2 if throttled messages have to wait, else 0.
-- Touches: the tables that take_limited(), hold_back() and hand_out_waiting() touch. The caller's settings pin the plans.
-- postrider: after take_limited, hold_back, hand_out_waiting, add_taken
create or replace function postrider.hand_out_limited(
    p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_batch postrider.claim_batch, p_limit int,
    out taken postrider.taken, out batch postrider.claim_batch, out throttled int
)
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_keys text[];
    t postrider.taken := postrider.take_limited(c, p_worker, p_limit - coalesce(cardinality(p_batch.seqs), 0));
    b postrider.claim_batch;
begin
    taken := p_taken;
    batch := p_batch;
    -- The messages that were taken and not throttled. A null key means that the message has no limited handler.
    select coalesce(array_agg(k.seq order by k.n), '{}'), coalesce(array_agg(k.xid order by k.n), '{}'), array_fill(null::text, array[count(*)::int])
    into taken.seqs, taken.xids, taken.keys
    from unnest(p_taken.seqs, p_taken.xids) with ordinality as k(seq, xid, n)
    where k.seq = any (p_batch.seqs);
    taken.keyed := array(select k from unnest(p_taken.keyed) k where k = any (p_batch.seqs));
    if t.seqs is null then
        throttled := case when exists (select from postrider.waiting w where w.consumer_id = c.consumer_id) then -2 else 0 end;
        return;
    end if;
    throttled := -1;
    if t.keyed <> '{}' then
        t := postrider.hold_back(c, t);
    end if;
    if t.seqs <> '{}' then
        v_keys := t.keys;
        t.keys := '{}';
        c.limited := false;  -- these messages may start
        b := postrider.hand_out_waiting(c, p_worker, t, null);
        t.keys := v_keys;
        taken := postrider.add_taken(taken, t);
        taken.keyed := taken.keyed || t.keyed;
        batch.seqs := batch.seqs || b.seqs;
        batch.messages := coalesce(batch.messages || b.messages, b.messages, batch.messages);
        batch.parked := coalesce(batch.parked, 0) + coalesce(b.parked, 0);
    end if;
end
$$;
