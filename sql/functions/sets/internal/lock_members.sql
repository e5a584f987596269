-- lock_members(seqs): locks those of these messages that are members of a set, and their sets, without waiting, so that end_members() does
-- not wait for them. In this order, which is the one of end_members().
-- Returns: the members that another transaction keeps locked, or whose set it keeps locked.
-- Touches: job_set, set_member (lock).
create or replace function postrider.lock_members(p_seqs bigint[]) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_sets bigint[] := array(
        select s.id from postrider.job_set s
        where s.id in (select m.set_id from postrider.set_member m where m.seq = any (p_seqs))
        order by s.id for no key update skip locked);
    v_own bigint[] := array(
        select m.seq from postrider.set_member m where m.seq = any (p_seqs) and m.set_id = any (v_sets) for update skip locked);
begin
    return array(select m.seq from postrider.set_member m where m.seq = any (p_seqs) and m.seq <> all (v_own));
end
$$;
