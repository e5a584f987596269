-- carry_waiting(partition, until): makes deliveries of messages in a partition of the log that wait, so that the partition can be dropped.
-- It holds the claim locks of their consumers, so it ends soon after p_until and leaves the rest to later calls, whose consumers come in another
-- order. park_step() bounds each step, and leaves messages that would make more than 16 MB of deliveries to workers of the consumer's own role
-- and to operators.
-- Returns: how many messages it carried over.
-- Touches: waiting, delivery; message, handler (read).
-- postrider: after partitions, lock_claims, materialise_waiting, park_step
create or replace function postrider.carry_waiting(p_partition text, p_until timestamptz) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count int := 0;
    v_step int;
    c record;
    p record;
    t postrider.taken;   -- the messages of a consumer that are still to be carried
    l postrider.lease;   -- not a lease that was written: the messages, for park_step()
begin
    select * into strict p from postrider.partitions() where name = p_partition;
    for c in select co.id from postrider.consumer co order by random() loop
        exit when clock_timestamp() > p_until;
        select array_agg(w.seq), array_agg(w.xid), min(w.published_at), max(w.published_at), '{}', '{}' into t
        from (select * from postrider.waiting o
              where o.consumer_id in (c.id, -c.id) and o.published_at >= p.from_at and o.published_at < p.to_at
              limit 10000) w;
        -- A consumer with a claim, or a report, in progress comes with a later call.
        continue when t.seqs is null or not pg_try_advisory_xact_lock(postrider.lock_claims(), c.id);
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
            exit when clock_timestamp() > p_until;
        end loop;
    end loop;
    return v_count;
end
$$;
