-- retention_rows(limit, dry_run): the steps of retention_run() that remove rows, one after the other. A step that waits too long for a
-- lock is undone and postponed, and the others go on.
-- Returns: as retention_run(). Touches: the tables of the steps.
-- postrider: after retention_delivered, retention_dead, retention_deleted, retention_handled, retention_leases, retention_jobs, retention_records
create or replace function postrider.retention_rows(p_limit int, p_dry_run boolean)
    returns table (entity text, action text, things bigint, detail text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    s record;
begin
    for s in
        select * from (values ('deleted', 'outbox', null), ('delivered', 'outbox', 'soft_deleted'), ('dead', 'dead_letter', 'soft_deleted'),
                              ('handled', 'event_handled', 'removed'), ('leases', 'lease', 'removed'), ('records', 'alert', null),
                              ('jobs', 'job_progress', null)) v (step, entity, action)
    loop
        begin
            case s.step
            when 'deleted' then
                return query
                select v.entity, 'removed', v.things, null::text
                from postrider.retention_deleted(p_limit, p_dry_run) d
                cross join lateral (values ('outbox', d.delivered), ('dead_letter', d.dead)) v (entity, things)
                where v.things > 0;
            when 'records' then
                return query
                select r.entity, 'removed', r.things, null::text from postrider.retention_records(p_limit, p_dry_run) r where r.things > 0;
            when 'jobs' then
                return query
                select j.entity, 'removed', j.things, null::text from postrider.retention_jobs(p_limit, p_dry_run) j where j.things > 0;
            else
                things := case s.step when 'delivered' then postrider.retention_delivered(p_limit, p_dry_run)
                                      when 'dead' then postrider.retention_dead(p_limit, p_dry_run)
                                      when 'handled' then postrider.retention_handled(p_limit, p_dry_run)
                                      when 'leases' then postrider.retention_leases(p_limit, p_dry_run) end;
                return query select s.entity, s.action, things, null::text where things > 0;
            end case;
        exception when lock_not_available then
            return query values (s.entity, 'busy', 1::bigint, 'its table is in use: its old rows are removed later');
        end;
    end loop;
end
$$;
