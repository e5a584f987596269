-- consumer_rates(since, now, seconds): consumer_figures() with the rates since an earlier call of figures(). p_since are its counters,
-- p_seconds the time since then, null: unknown, and all rates are 0.
-- Returns: per consumer its figures; in_flight; oldest_age_s: the age of the oldest message behind the cursor; owed: messages in flight,
--   waiting and dead; delivered_per_s and failed_per_s.
-- Touches: delivery and the tables that consumer_figures() reads.
-- postrider: after consumer_figures
create or replace function postrider.consumer_rates(p_since jsonb, p_now timestamptz, p_seconds float8)
    returns table (
        consumer_id int, consumer text, channel text, paused boolean, held boolean, held_handlers text[], handlers bigint,
        workers bigint, backlog bigint, backlog_exact boolean, behind_since timestamptz, pending bigint, failed bigint, place jsonb,
        in_flight bigint, oldest_age_s float8, owed bigint, delivered_per_s float8, failed_per_s float8)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_since timestamptz := p_since ->> 'at';
begin
    return query
    with died as (
        select d.consumer_id, count(*) as n from postrider.delivery d
        where d.status = 'failed' and d.deleted_at is null and d.dead_at > v_since and d.dead_at <= p_now group by 1
    ), discarded as (
        select d.consumer_id, count(*) as n from postrider.delivery d
        where d.status = 'failed' and d.deleted_at > v_since and d.deleted_at <= p_now group by 1
    )
    select f.consumer_id, f.consumer, f.channel, f.paused, f.held, f.held_handlers, f.handlers, f.workers, f.backlog, f.backlog_exact,
           f.behind_since, f.pending, f.failed, f.place, f.leased + f.running,
           coalesce(extract(epoch from p_now - f.behind_since), 0)::float8, o.owed,
           coalesce(greatest(f.passed + (p_since #>> array['owed', f.consumer_id::text])::bigint - o.owed
                             - coalesce(discarded.n, 0), 0) / p_seconds, 0),
           coalesce(coalesce(died.n, 0) / p_seconds, 0)
    from postrider.consumer_figures(coalesce(p_since -> 'places', '{}')) f
    cross join lateral (select f.leased + f.running + f.failed + f.pending as owed) o
    left join died on died.consumer_id = f.consumer_id
    left join discarded on discarded.consumer_id = f.consumer_id;
end
$$;
