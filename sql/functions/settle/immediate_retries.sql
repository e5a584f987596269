-- immediate_retries(worker): how often a worker may run a message of a lease again at once, by handler, instead of reporting its failure: as
-- often as decide() would make the message due again without a delay, and at most three times.
-- A worker that does so reports the runs before the last one with the failure (`earlier` of settle()). It reports a failure at once when the outcome
-- names a delay or is not transient, when its error class is one of outages, and when the message's own max_attempts is reached.
-- None for a handler with a rate limit, which counts starts, and for a policy with max_age_ms, which depends on the message.
-- Returns: handler; retries, per lease; failures, in a row, that open the handler's circuit (0: none do). A worker in which the handler has failed
--   that often in a row reports failures at once.
-- Raises: PR004, PR010 like require_worker().
-- Touches: worker, handler, handler_limit, circuit (read).
-- postrider: grant worker
-- postrider: after require_worker, handler_policies, decide, policy_number
create or replace function postrider.immediate_retries(p_worker uuid)
    returns table (handler text, retries int, failures int)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_consumer constant int := postrider.require_worker(p_worker);
    v_now constant timestamptz := clock_timestamp();
begin
    return query
    select h.name,
           (select count(*)::int from generate_series(1, 3) as r(retry)
            where (h.policy).max_age is null and not h.rated and not exists (
                select from generate_series(1, r.retry) as a(attempt)
                cross join lateral postrider.decide(row(
                    'transient', null, null, a.attempt, h.max_attempts, 0, h.max_crashes, h.policy, v_now, '{}', true, false,
                    false)::postrider.run, v_now, 0.999999) d
                where d.status <> 'pending' or d.available_at > v_now)),
           least(coalesce(postrider.policy_number(h.circuit -> 'failures'), 20), 1000000)::int
    from (select distinct on (j.name) j.name, j.max_attempts, j.max_crashes, j.policy,
                 (select o.circuit from postrider.handler o where o.consumer_id = v_consumer and o.name = j.name
                  order by o.revision desc limit 1) as circuit,
                 exists (select from postrider.handler_limit l
                         where l.consumer_id = v_consumer and l.handler = j.name
                           and num_nonnulls(l.starts, l.key_starts) > 0) as rated
          from postrider.worker w
          cross join lateral postrider.handler_policies(v_consumer, to_jsonb(w.handlers), false) j
          where w.id = p_worker) h;
end
$$;
