-- start_serial(consumer_id, seqs): moves the keys of serial jobs that are about to be handed out to the place 'running'. A job stays
-- where it is, and is marked as blocked, while another job of its key is there.
-- The other job's row is locked, so that either this transaction waits for the transaction that releases it, or that transaction
-- sees the mark.
-- The caller holds the consumer's claim lock or the rows of the deliveries.
-- Returns: the blocked ones. Touches: unique_job.
create or replace function postrider.start_serial(p_consumer_id int, p_seqs bigint[]) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_blocked bigint[] := '{}';
    u postrider.unique_job;
begin
    for u in
        select * from postrider.unique_job j
        where j.seq = any (p_seqs) and j.consumer_id = p_consumer_id and j.scope = 'serial' and j.place = 'first'
        order by j.handler, j.key
    loop
        perform from postrider.unique_job r
        where r.consumer_id = u.consumer_id and r.handler = u.handler and r.key = u.key and r.place = 'running'
        for key share;
        if found then
            v_blocked := v_blocked || u.seq;
        end if;
        update postrider.unique_job j
        set place = case when u.seq = any (v_blocked) then 'first' else 'running' end, blocked = u.seq = any (v_blocked)
        where j.consumer_id = u.consumer_id and j.handler = u.handler and j.key = u.key and j.place = 'first';
    end loop;
    return v_blocked;
end
$$;
