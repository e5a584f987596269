-- jobs_leases(jobs): the open leases with messages of these jobs.
-- Touches: lease (read).
create or replace function postrider.jobs_leases(p_jobs postrider.cancel_job[]) returns table (consumer_id int, id bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
#variable_conflict use_column
declare
    v_seqs constant bigint[] := array(select distinct j.seq from unnest(p_jobs) j);
begin
    return query
    select l.consumer_id, l.id from postrider.lease l
    where l.finished_at is null
      and l.consumer_id in (select s.id from unnest(p_jobs) j cross join lateral (values (j.consumer_id), (-j.consumer_id)) as s(id))
      -- Not &&, which compares each member with each job: in a subquery of its own the array is hashed.
      and exists (select from unnest(l.members) s where s = any (v_seqs) offset 0);
end
$$;
