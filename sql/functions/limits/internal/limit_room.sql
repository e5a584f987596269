-- limit_room(limit, worker, threads, use): how many more messages a worker may have of a handler. A worker has at most as many runs at once as it
-- has threads, so messages beyond that do not count; without a number of threads, every message that the worker holds counts. If the other
-- workers leave enough of the limit for all of its threads, it may hold any number of messages.
-- p_use is limit_use()'s. Returns: 0 and above.
create or replace function postrider.limit_room(
    p_limit postrider.handler_limit, p_worker uuid, p_threads int, p_use postrider.limit_held[]
) returns int
    language plpgsql immutable
    as $$
declare
    v_most bigint;  -- that it may have at once
    v_mine bigint;  -- that it has
begin
    select least(coalesce(p_limit.concurrency, 2147483647)
                     - coalesce(sum(least(h.messages, h.threads)) filter (where h.worker_id is distinct from p_worker), 0),
                 p_limit.per_worker),
           coalesce(sum(h.messages) filter (where h.worker_id = p_worker), 0)
    into v_most, v_mine
    from (select u.worker_id, u.threads, sum(u.messages) as messages
          from unnest(p_use) u
          where u.handler is null or u.handler = p_limit.handler
          group by u.worker_id, u.threads) h;
    return case when v_most >= p_threads then 2147483647 else greatest(v_most - v_mine, 0) end;
end
$$;
