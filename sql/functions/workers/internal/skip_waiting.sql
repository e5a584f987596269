-- skip_waiting(consumer_id, to): skips the messages that wait and were published before an instant. Unique keys of skipped jobs are free, and
-- they have ended for their sets. The caller holds the claim lock.
-- Touches: waiting, lease, unique_job and the tables that end_members() touches; message (read).
-- postrider: after end_members, note_all_waiting, release_keys
create or replace function postrider.skip_waiting(p_consumer_id int, p_to timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keyed bigint[];
begin
    perform postrider.note_all_waiting(p_consumer_id);
    with gone as (
        delete from postrider.waiting w where w.consumer_id in (p_consumer_id, -p_consumer_id) and w.published_at < p_to
        returning w.seq, w.keyed
    )
    select array_agg(g.seq) into v_keyed from gone g where g.keyed;
    if v_keyed is not null then
        perform postrider.release_keys(v_keyed);
        perform postrider.end_members(v_keyed, true);
    end if;
end
$$;
