-- conclude(outcomes, worker): the one place that decides between retry and dead letter.
-- p_outcomes is a JSON array of {"delivery", "token", "outcome", "error", "error_class", "delay_ms"}, where
-- outcome is
--   delivered    the handler is done
--   failed       the handler said no: retry with backoff until max_attempts, then dead
--   terminal     the handler said never: dead at once
--   crashed      the worker died while running it: as failed, with a ceiling of its own
--   snooze       not now: again after delay_ms, uncharged
--   interrupted  shutdown or lost worker before it was done: again at once, uncharged
-- p_worker: only what this worker holds (null: anyone's).
-- Returns: delivery and result: the new status, or lost_lease when the token is not the current one.
-- Raises: PR001 for malformed outcomes.
-- Touches: delivery (update, only of rows in flight under the given token).
-- postrider: after delay
create or replace function postrider.conclude(p_outcomes jsonb, p_worker uuid default null)
    returns table (delivery_id bigint, result text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
begin
    if jsonb_typeof(p_outcomes) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'the outcomes must be a JSON array';
    elsif exists (select from jsonb_to_recordset(p_outcomes) as o(outcome text)
               where o.outcome is null or o.outcome not in (
                   'delivered', 'failed', 'terminal', 'crashed', 'snooze', 'interrupted')) then
        raise exception using errcode = 'PR001',
            message = 'an outcome must be delivered, failed, terminal, crashed, snooze or interrupted';
    end if;
    return query
    with reported as materialized (
        select o.delivery, o.token, o.outcome, left(o.error, 8192) as error, left(o.error_class, 255) as error_class,
               make_interval(secs => o.delay_ms / 1000) as delay,
               o.outcome in ('failed', 'terminal', 'crashed') as charged
        from jsonb_to_recordset(p_outcomes) as o(
            delivery bigint, token uuid, outcome text, error text, error_class text, delay_ms float8)
    ), decided as materialized (
        select d.id, o.outcome, o.error, o.error_class, o.charged,
               case when o.outcome = 'delivered' then 'delivered'
                    when o.outcome = 'terminal' then 'failed'
                    when o.charged and d.attempts >= d.max_attempts then 'failed'
                    when o.outcome = 'crashed' and d.crashes + 1 >= d.crashes_max then 'failed'
                    else 'pending' end as status,
               v_now + coalesce(o.delay, case when o.charged then postrider.delay(d.retry, d.attempts, random())
                                              else interval '0' end) as available_at
        from reported o
        join postrider.delivery d on d.id = o.delivery
        where d.status = 'in_flight' and d.lease_token = o.token
          and (p_worker is null or d.claimed_by = p_worker)
        for update of d
    ), changed as (
        update postrider.delivery d
        set status = o.status,
            attempts = d.attempts - (o.outcome in ('snooze', 'interrupted'))::int,
            attempts_total = d.attempts_total - (o.outcome in ('snooze', 'interrupted'))::int,
            failures = d.failures + (o.outcome in ('failed', 'terminal'))::int,
            crashes = d.crashes + (o.outcome = 'crashed')::int,
            interruptions = d.interruptions + (o.outcome = 'interrupted')::int,
            available_at = case when o.status = 'pending' then o.available_at else d.available_at end,
            first_failed_at = case when o.charged then coalesce(d.first_failed_at, v_now) else d.first_failed_at end,
            last_error = coalesce(o.error, d.last_error),
            error_class = coalesce(o.error_class, d.error_class),
            delivered_at = case when o.status = 'delivered' then v_now end,
            dead_at = case when o.status = 'failed' then v_now end,
            claimed_at = null, claimed_by = null, lease_token = null, lease_until = null
        from decided o
        where d.id = o.id
        returning d.id, d.status
    )
    select o.delivery, coalesce(ch.status, 'lost_lease')
    from reported o left join changed ch on ch.id = o.delivery;
end
$$;
