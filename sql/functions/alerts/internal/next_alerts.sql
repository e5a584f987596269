-- next_alerts(target, now, limit): unsent alerts of a target that are due, numbered per consumer: turn 1 is the oldest one of each.
-- Returns: more than p_limit if there are more, because other senders may have locked some. Its cost grows with the number of consumers
--   that have unsent alerts, not with the number of alerts.
-- Touches: alert_sending (read).
create or replace function postrider.next_alerts(p_target text, p_now timestamptz, p_limit int)
    returns table (alert_id bigint, turn bigint, available_at timestamptz)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
#variable_conflict use_column
begin
    return query
    with recursive waiting as (
        (select s.consumer from postrider.alert_sending s where s.target = p_target order by s.consumer limit 1)
        union all
        select (select s.consumer from postrider.alert_sending s
                where s.target = p_target and s.consumer > w.consumer order by s.consumer limit 1)
        from waiting w where w.consumer is not null
    )
    select a.alert_id, row_number() over (partition by w.consumer order by a.available_at, a.alert_id), a.available_at
    from waiting w
    cross join lateral (
        select s.alert_id, s.available_at from postrider.alert_sending s
        where s.target = p_target and s.consumer = w.consumer and s.available_at <= p_now
        order by s.available_at, s.alert_id limit 2 * p_limit + 100) a
    order by 2, 3 limit 10 * p_limit + 100;
end
$$;
