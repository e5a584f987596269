-- next_throttled(consumer_id): when a worker should claim throttled messages again: after 100 ms, because another worker may have finished a run, or
-- when the rate of their handler allows the next start.
-- Returns: null when none is throttled. Touches: waiting, handler_limit, limit_bucket (read). The caller's settings pin the plans.
create or replace function postrider.next_throttled(p_consumer_id int) returns timestamptz
    language plpgsql stable
    as $$
declare
    v_now timestamptz := clock_timestamp();
begin
    if not exists (select from postrider.waiting w where w.consumer_id = -p_consumer_id) then
        return null;
    end if;
    return v_now + least(interval '100 ms', (
        select min(greatest(b.paid_at - (l.burst - 1) * l.period / l.starts - v_now, interval '1 ms'))
        from postrider.handler_limit l
        join postrider.limit_bucket b on b.consumer_id = l.consumer_id and b.key = l.handler
        where l.consumer_id = p_consumer_id and l.starts is not null
          and b.paid_at - (l.burst - 1) * l.period / l.starts > v_now));
end
$$;
