-- spend_starts(consumer_id, limit, keys, now): counts runs that start for the rates of their handler and of their keys, one for each of p_keys.
-- Touches: limit_bucket.
-- postrider: after remove_paid_buckets
create or replace function postrider.spend_starts(
    p_consumer_id int, p_limit postrider.handler_limit, p_keys text[], p_now timestamptz
) returns void
    language plpgsql volatile
    as $$
begin
    insert into postrider.limit_bucket as b (consumer_id, key, paid_at)
    select p_consumer_id, s.key, p_now + s.time
    from (select p_limit.handler::text as key, cardinality(p_keys) * p_limit.period / p_limit.starts as time
          where p_limit.starts is not null
          union all
          select k.key, count(*) * p_limit.key_period / p_limit.key_starts
          from unnest(p_keys) as k(key)
          where p_limit.key_starts is not null and k.key <> p_limit.handler || ' '
          group by k.key) s
    on conflict (consumer_id, key) do update
    -- Never more than the burst: the clock may have been set back.
    set paid_at = least(greatest(b.paid_at, p_now) + (excluded.paid_at - p_now),
                        p_now + case when b.key = p_limit.handler then p_limit.burst * p_limit.period / p_limit.starts
                                     else p_limit.key_burst * p_limit.key_period / p_limit.key_starts end);
    -- The number of pages follows from the bytes written: a bucket has about 60 bytes besides its key.
    perform postrider.remove_paid_buckets(
        1 + (60 * cardinality(p_keys) + octet_length(array_to_string(p_keys, ''))) / 1500, p_now);
end
$$;
