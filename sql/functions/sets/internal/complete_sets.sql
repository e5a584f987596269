-- complete_sets(): ends members that were only marked because their set was locked, and tries again to publish the messages of sets that
-- have a problem, in random order, so that sets that are always refused do not starve the others. Sets and members that another
-- transaction has locked are skipped.
-- Returns: how many sets it completed. Touches: job_set and the tables that end_members() touches.
-- postrider: after complete_set, end_members
create or replace function postrider.complete_sets() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_marked bigint[] := array(
        select s.id from postrider.job_set s
        where s.id in (select m.set_id from postrider.set_member m where m.lost is not null limit 1000)
        order by s.id limit 100 for no key update skip locked);
    v_ids bigint[] := array(
        select s.id from postrider.job_set s
        where s.id in (select o.id from postrider.job_set o where o.completed_at is null and o.problem is not null
                       order by random() limit 100)
        order by s.id for no key update skip locked);
    v_seqs bigint[] := array(
        select m.seq from postrider.set_member m where m.set_id = any (v_marked) and m.lost is not null for update skip locked);
begin
    perform postrider.end_members(m.seqs, m.lost)
    from (select o.set_id, o.lost, array_agg(o.seq) as seqs from postrider.set_member o
          where o.seq = any (v_seqs) group by 1, 2 order by 1, 2) m;
    -- The remaining members have not ended for all handlers, or are dead and block their set.
    update postrider.set_member m set lost = null where m.seq = any (v_seqs);
    perform postrider.complete_set(i) from unnest(v_ids) i;
    v_ids := v_ids || v_marked;
    return (select count(*) from postrider.job_set s where s.id = any (v_ids) and s.completed_at is not null);
end
$$;
