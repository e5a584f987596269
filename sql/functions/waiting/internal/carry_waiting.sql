-- carry_waiting(partition): makes deliveries of messages in a partition of the log that wait, so that the partition can be dropped.
-- It holds the claim locks of their consumers, so a call ends soon after a second and leaves the rest to later calls. park_step() bounds
-- each step, and leaves messages that would make more than 16 MB of deliveries to workers of the consumer's own role and to operators.
-- Returns: how many messages it carried over. Raises: 55P03 like take_lock().
-- Touches: waiting, delivery; message, handler (read).
-- postrider: after partitions, take_lock, lock_claims, materialise_waiting, park_step
create or replace function postrider.carry_waiting(p_partition text) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_until constant timestamptz := clock_timestamp() + interval '1 second';
    v_count int := 0;
    v_step int;
    c record;
    p record;
    t postrider.taken;   -- the messages of a consumer that are still to be carried
    l postrider.lease;   -- not a lease that was written: the messages, for park_step()
begin
    select * into strict p from postrider.partitions() where name = p_partition;
    for c in select co.id from postrider.consumer co order by co.id loop
        select array_agg(w.seq), array_agg(w.xid), min(w.published_at), max(w.published_at), '{}', '{}' into t
        from (select * from postrider.waiting o
              where o.consumer_id in (c.id, -c.id) and o.published_at >= p.from_at and o.published_at < p.to_at
              limit 10000) w;
        continue when t.seqs is null;
        perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id, '1s');
        while t.seqs <> '{}' loop
            l.consumer_id := -c.id;
            l.members := t.seqs;
            l.taken := t;
            l.claimed_at := clock_timestamp();
            v_step := postrider.park_step(l);
            exit when v_step = 0;
            v_count := v_count + postrider.materialise_waiting(c.id, t.seqs[:v_step]);
            t.seqs := t.seqs[v_step + 1:];
            t.xids := t.xids[v_step + 1:];
            exit when clock_timestamp() > v_until;
        end loop;
        exit when v_count > 0 and clock_timestamp() > v_until;
    end loop;
    return v_count;
end
$$;
