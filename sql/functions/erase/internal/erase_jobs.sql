-- erase_jobs(ids, until): ends the jobs of messages that are about to be erased. Jobs that run or have a delivery are cancelled; erase_content() erases
-- their content. Jobs that wait for their time are removed from the table waiting, and jobs that wait for their ordering key from the table follower.
-- Messages ahead of a cursor need nothing: claims pass over an erased message. The caller holds lock_claims_of() them and the locks
-- of their deliveries. It waits until p_until at most for all rows, also for those that erase_content() changes.
-- Raises: 55P03 when other transactions hold some of them for longer.
-- Touches: waiting, lease, worker, delivery, unique_job, replay_item, circuit and the tables that erase_ordered() touches; message (read).
-- postrider: after end_cancelled, erase_ordered, forget_cancelled, hold_jobs, lock_circuits, lock_consumers, lock_keys, lock_progress, release_keys, take_out
create or replace function postrider.erase_jobs(p_ids uuid[], p_until timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_filter constant jsonb := jsonb_build_object('ids', to_jsonb(p_ids));
    v_seqs bigint[] := array(select m.seq from postrider.message m where m.id = any (p_ids));
    v_keyed bigint[];
    v_consumers int[];
    j postrider.cancel_job[];
    c record;
begin
    j := postrider.hold_jobs(v_filter, 1000000, true, null, p_until);
    v_consumers := array(select f.consumer_id from unnest(j) f
                         union select d.consumer_id from postrider.delivery d where d.message_id = any (p_ids)
                         union select o.id from postrider.consumer o where o.cancelled && v_seqs);
    perform postrider.lock_circuits(v_consumers, p_until);
    perform postrider.lock_consumers(v_consumers, p_until);
    -- Also keys that are held for longer than the log is kept.
    perform postrider.lock_keys(v_seqs || array(select u.seq from postrider.unique_job u where u.message_id = any (p_ids))
                                       || array(select d.seq from postrider.delivery d where d.message_id = any (p_ids)), p_until);
    perform postrider.lock_progress(p_ids, p_until);
    perform postrider.erase_ordered(p_ids);  -- first, so that no follower among these messages is started
    for c in select f.consumer_id, array_agg(f) as jobs from unnest(j) f where f.delivery_id is null group by 1 order by 1 loop
        perform postrider.take_out(c.consumer_id, c.jobs);
    end loop;
    perform postrider.end_cancelled(j, 'erased');
    with gone as (
        delete from postrider.waiting w where w.seq = any (v_seqs) returning w.seq, w.keyed
    )
    select array_agg(g.seq) into v_keyed from gone g where g.keyed;
    perform postrider.forget_cancelled(o.id, v_seqs) from postrider.consumer o where o.cancelled && v_seqs;
    -- Also of jobs that no cursor has reached.
    v_keyed := v_keyed || array(select u.seq from postrider.unique_job u where u.message_id = any (p_ids));
    perform postrider.release_keys(v_keyed);
    delete from postrider.unique_job u where u.message_id = any (p_ids);
end
$$;
