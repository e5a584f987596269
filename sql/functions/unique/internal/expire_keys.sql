-- expire_keys(): removes unique keys whose period is over, at most 10,000 per call. Publishing an expired key does not
-- depend on this: a producer replaces its row.
-- Returns: how many. Touches: unique_job.
create or replace function postrider.expire_keys() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count int;
begin
    delete from postrider.unique_job u
    using (select e.consumer_id, e.handler, e.key, e.place from postrider.unique_job e
           where e.expires_at <= clock_timestamp()
           order by e.expires_at limit 10000
           for update skip locked) o
    where (u.consumer_id, u.handler, u.key, u.place) = (o.consumer_id, o.handler, o.key, o.place);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
