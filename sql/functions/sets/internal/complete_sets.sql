-- complete_sets(): ends members that were only marked because their set was locked, and tries again to publish the messages of sets that
-- have a problem, in random order, so that sets that are always refused do not starve the others. Sets and marks that another
-- transaction has locked are skipped. A call takes at most 10000 marks, so that it ends soon.
-- Returns: how many sets it completed. Touches: job_set, set_mark and the tables that end_members() touches.
-- postrider: after complete_set, end_members
create or replace function postrider.complete_sets() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_marked bigint[] := array(
        select s.id from postrider.job_set s
        where s.id in (select k.set_id from postrider.set_mark k)
        order by s.id limit 1000 for no key update skip locked);
    v_ids bigint[] := array(
        select s.id from postrider.job_set s
        where s.id in (select o.id from postrider.job_set o where o.completed_at is null and o.problem is not null
                       order by random() limit 100)
        order by s.id for no key update skip locked);
    v_gone record;
begin
    -- A marked member may not have ended for all handlers, or be dead and block its set: then the end of it marks it again, or ends it.
    for v_gone in
        with gone as (
            delete from postrider.set_mark k
            where k.ctid = any (array(
                select o.ctid from postrider.set_mark o
                where o.set_id = any (v_marked) or not exists (select from postrider.job_set s where s.id = o.set_id)
                limit 10000
                for update skip locked))
            returning k.set_id, k.seq, k.lost
        )
        select g.lost, array_agg(g.seq) as seqs from gone g group by g.set_id, g.lost order by g.set_id, g.lost desc
    loop
        perform postrider.end_members(v_gone.seqs, v_gone.lost);
    end loop;
    perform postrider.complete_set(i) from unnest(v_ids) i;
    v_ids := v_ids || v_marked;
    return (select count(*) from postrider.job_set s where s.id = any (v_ids) and s.completed_at is not null);
end
$$;
