-- decide(run, now, u): the decision on a run that ended. The only function that chooses between retry and dead letter: conclude()
-- applies it to deliveries, park_ended() to first attempts. u in [0, 1) is randomness. A pure function of its arguments.
--   delivered             delivered
--   terminal              dead
--   transient             again after the policy's delay; dead at max_attempts, or when that would be past max_age_ms;
--                         during an outage, or with an error class in the handler's outage list, uncharged
--   crashed               as transient, never uncharged, and dead at max_crashes too
--   snooze, interrupted   again after delay_ms, uncharged
-- Returns: one row. kind, the outcome after classify(); uncharged; the new status; when it is due again.
-- One query without settings, so that the planner inlines it; then no call is made for a run.
-- postrider: after classify, outage_listed, wait
create or replace function postrider.decide(p_run postrider.run, p_now timestamptz, p_u float8)
    returns table (kind text, uncharged boolean, status text, available_at timestamptz)
    language sql immutable parallel safe
    as $$
    select k.kind, c.uncharged,
           case when k.kind = 'delivered' then 'delivered'
                when k.kind = 'terminal' then 'failed'
                when c.uncharged and k.kind <> 'transient' then 'pending'
                when not c.uncharged and p_run.attempts >= p_run.max_attempts then 'failed'
                when k.kind = 'crashed' and p_run.crashes + 1 >= p_run.max_crashes then 'failed'
                when a.at > p_run.started_at + (p_run.policy).max_age then 'failed'
                else 'pending' end,
           a.at
    -- Each step is computed once.
    from (select case when p_run.bury then 'terminal'
                      else postrider.classify(p_run.outcome, p_run.error_class, p_run.classes, p_run.honour_terminal) end as kind
          offset 0) k
    cross join lateral (
        select case k.kind when 'transient' then p_run.outage or coalesce(postrider.outage_listed(p_run.error_class, p_run.classes -> 'outage'), false)
                           else k.kind in ('snooze', 'interrupted') end as uncharged
        offset 0) c
    cross join lateral (
        select p_now + case when k.kind not in ('transient', 'crashed', 'snooze', 'interrupted') then interval '0'
                            -- Handlers pass on delays from other services, so no number may make a report fail.
                            when p_run.delay_ms is not null
                            then pg_catalog.make_interval(secs => least(greatest(p_run.delay_ms, 0), 1e12) / 1000)
                            when k.kind in ('snooze', 'interrupted') then interval '0'
                            else postrider.wait(p_run.policy, p_run.attempts, p_u) end as at
        offset 0) a
    $$;
