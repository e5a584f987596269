-- write_limit(limit): stores the limit of a handler, in place of the one that it had.
-- Returns: that one, with null fields if there was none, and created, changed or unchanged. The caller holds the claim lock and calls
--   refresh_limits(). Touches: handler_limit, waiting.
create or replace function postrider.write_limit(p_limit postrider.handler_limit, out before postrider.handler_limit, out result text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_unread constant text[] := '{turn,set_at,set_by}';
begin
    select * into before from postrider.handler_limit l where l.consumer_id = p_limit.consumer_id and l.handler = p_limit.handler;
    p_limit.declared := coalesce(p_limit.declared, false);
    p_limit.set_at := clock_timestamp();
    p_limit.set_by := session_user;
    if to_jsonb(before) - v_unread = to_jsonb(p_limit) - v_unread then
        result := 'unchanged';
        return;
    end if;
    result := case when before.handler is null then 'created' else 'changed' end;
    delete from postrider.handler_limit l where l.consumer_id = p_limit.consumer_id and l.handler = p_limit.handler;
    insert into postrider.handler_limit select p_limit.*;
    if result = 'changed' and before.key is distinct from p_limit.key then
        -- The next claims compute their keys again.
        update postrider.waiting t set consumer_id = p_limit.consumer_id, limit_key = null
        where t.consumer_id = -p_limit.consumer_id and t.limit_key >= p_limit.handler || ' ' and t.limit_key < p_limit.handler || '!';
    end if;
end
$$;
