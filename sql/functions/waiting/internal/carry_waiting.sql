-- carry_waiting(partition, limit): makes deliveries of messages in a partition of the log that wait, so that the partition can be
-- dropped.
-- Returns: how many messages it carried over. Raises: 55P03 like take_lock().
-- Touches: waiting, delivery; message, handler (read).
-- postrider: after partitions, take_lock, lock_claims, materialise_waiting
create or replace function postrider.carry_waiting(p_partition text, p_limit int default 100000) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count int := 0;
    v_seqs bigint[];
    c record;
    p record;
begin
    select * into strict p from postrider.partitions() where name = p_partition;
    for c in select co.id from postrider.consumer co order by co.id loop
        v_seqs := array(select w.seq from postrider.waiting w
                        where w.consumer_id in (c.id, -c.id) and w.published_at >= p.from_at and w.published_at < p.to_at
                        limit p_limit - v_count);
        if v_seqs <> '{}' then
            perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id, '1s');
            v_count := v_count + postrider.materialise_waiting(c.id, v_seqs);
        end if;
    end loop;
    return v_count;
end
$$;
