-- limit_binds(limit): whether a limit can be reached with the threads that the workers of its handler have. One per key and one of starts always can.
-- Touches: worker (read).
create or replace function postrider.limit_binds(p_limit postrider.handler_limit) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return p_limit.key is not null or p_limit.starts is not null
           or exists (select from postrider.worker w
                      where w.consumer_id = p_limit.consumer_id and p_limit.handler = any (w.handlers)
                      having sum(coalesce(w.threads, 1000000)) > p_limit.concurrency
                          or max(coalesce(w.threads, 1000000)) > p_limit.per_worker);
end
$$;
