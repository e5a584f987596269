-- free_periods(filter): frees the unique keys that are held for a period and that a filter of cancel() names, also those whose jobs have
-- ended: otherwise a key that a producer took by mistake would stay held until its period is over. A filter that describes jobs besides
-- the key, by ids, event_type or workspace_id, frees none.
-- Returns: the rows that held them. A row that a producer has locked to replace it is skipped.
-- Raises: PR010 for a consumer of another role.
-- Touches: unique_job; consumer (read).
-- postrider: after is_member, require_owner
create or replace function postrider.free_periods(p_filter jsonb) returns setof postrider.unique_job
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r record;
begin
    if not p_filter ? 'unique_key' or p_filter ?| '{ids,event_type,workspace_id}' then
        return;
    end if;
    for r in
        select k as job, c.name as consumer
        from postrider.unique_job k join postrider.consumer c on c.id = k.consumer_id
        where k.scope = 'period' and k.expires_at > clock_timestamp() and k.key = p_filter ->> 'unique_key'
          and (not p_filter ? 'consumer' or c.name = p_filter ->> 'consumer')
          and (not p_filter ? 'channel' or c.channel = p_filter ->> 'channel')
          and (not p_filter ? 'handler' or k.handler = p_filter ->> 'handler')
        for update of k skip locked
    loop
        if not postrider.is_member('postrider_operator') then
            perform postrider.require_owner(r.consumer);
        end if;
        delete from postrider.unique_job k
        where (k.consumer_id, k.handler, k.key, k.place)
            = ((r.job).consumer_id, (r.job).handler, (r.job).key, (r.job).place);
        return next r.job;
    end loop;
end
$$;
