-- conclude(outcomes, worker, bury): ends runs of deliveries; decide() chooses between retry and dead letter.
-- p_outcomes is a JSON array of {"delivery", "token", "outcome", "error", "error_class", "delay_ms", "duration_ms"}, where duration_ms is
-- how long the run took, for the view attempts, numbers may be strings, and outcome is
--   delivered    the handler is done
--   transient    the run failed: retry with backoff until max_attempts or max_age_ms, then dead
--   terminal     the run failed for good: dead at once
--   crashed      the worker died while running it: as transient, with a ceiling of its own
--   snooze       the handler postponed it: due again after delay_ms, uncharged
--   interrupted  shutdown or lost worker before its end: due again at once, uncharged; with the error class worker_lost or
--                lease_expired, which reap() gives, the delivery becomes a suspect
-- The error class and the handler's lists can turn transient into terminal and the reverse (classify()). While the handler's circuit is not closed a
-- failure is uncharged, so an outage uses up no attempts.
-- p_worker: only deliveries that this worker holds (null: of any worker). p_bury: an operator ends them; they are dead, whatever the policy.
-- Returns: delivery and result: the new status, or lost_lease when the token is not the current one.
-- Raises: PR001 for malformed outcomes.
-- Touches: delivery (update, only of rows in flight under the given token), unique_job, follower, run_ended()'s and end_members()'s tables; handler
--   (read).
-- The caller has called lock_ordered().
-- postrider: after conclude_delivered, conclude_others, end_members, release_keys, heads_ended, require_outcomes, run_ended
create or replace function postrider.conclude(
    p_outcomes jsonb, p_worker uuid default null, p_bury boolean default false
) returns table (delivery_id bigint, result text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_delivered bigint[];
    v_ended postrider.ended_run[];
    v_keyed bigint[];  -- messages with a unique key or a set that ended
    v_ordered bigint[];  -- deliveries that an ordering key waited for
    v_others record;
begin
    perform postrider.require_outcomes(p_outcomes, '{delivery,token}');
    if p_worker is not null and not p_bury and p_outcomes @> '[{"outcome": "delivered"}]' then
        select d.delivered, d.ended, d.keyed, d.ordered into v_delivered, v_ended, v_keyed, v_ordered
        from postrider.conclude_delivered(p_outcomes, p_worker, v_now) d;
        return query select d.id, 'delivered' from unnest(v_delivered) as d(id);
    end if;
    if cardinality(v_delivered) is distinct from jsonb_array_length(p_outcomes) then
        select * into v_others from postrider.conclude_others(p_outcomes, p_worker, p_bury, v_delivered, v_now);
        v_ended := v_ended || v_others.ended;
        v_keyed := v_keyed || v_others.keyed;
        v_ordered := v_ordered || v_others.ordered;
        return query select * from unnest(v_others.ids, v_others.results);
    end if;
    if v_keyed is not null then
        perform postrider.release_keys(v_keyed);
    end if;
    if v_ordered is not null then
        perform postrider.heads_ended(v_ordered);
    end if;
    if v_ended is not null then
        perform postrider.run_ended(v_ended, '{}', not p_bury);
    end if;
    if v_keyed is not null then
        perform postrider.end_members(v_keyed);
    end if;
end
$$;
