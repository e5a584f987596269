-- complete_sets(): tries again to publish the messages of sets that have a problem.
-- Returns: how many sets it completed. Touches: job_set and what complete_set() touches.
-- postrider: after complete_set
create or replace function postrider.complete_sets() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ids bigint[] := array(
        select s.id from postrider.job_set s where s.completed_at is null and s.problem is not null
        order by s.id limit 100 for no key update skip locked);
begin
    perform postrider.complete_set(i) from unnest(v_ids) i;
    return (select count(*) from postrider.job_set s where s.id = any (v_ids) and s.completed_at is not null);
end
$$;
