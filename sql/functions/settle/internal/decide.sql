-- decide(run, now, u): the decision on a run that ended. The only function that chooses between retry and dead letter: conclude()
-- applies it to deliveries, park_ended() to first attempts. u in [0, 1) is randomness. A pure function of its arguments.
--   delivered             delivered
--   terminal              dead
--   transient             again after the policy's delay; dead at max_attempts, or when that would be past max_age_ms;
--                         during an outage, or with an error class in the handler's outage list, uncharged
--   crashed               as transient, never uncharged, and dead at max_crashes too
--   snooze, interrupted   again after delay_ms, uncharged
-- Returns: kind, the outcome after classify(); uncharged; the new status; when it is due again.
-- postrider: after classify, delay, max_age
create or replace function postrider.decide(p_run postrider.run, p_now timestamptz, p_u float8) returns postrider.decision
    language plpgsql immutable parallel safe
    as $$
declare
    v_kind text := case when p_run.bury then 'terminal'
                        else postrider.classify(p_run.outcome, p_run.error_class, p_run.classes, p_run.honour_terminal) end;
    v_uncharged boolean;
    v_status text;
    -- Handlers pass on delays that other services ask for: no number may keep a report from being made.
    v_delay constant float8 := least(greatest(p_run.delay_ms, 0), 1e12) / 1000;
    v_at timestamptz := p_now;
begin
    if v_kind in ('transient', 'crashed') then
        v_uncharged := v_kind = 'transient' and p_run.outage;
        if v_kind = 'transient' and p_run.classes -> 'outage' is not null then
            v_uncharged := p_run.outage or exists (
                select from pg_catalog.jsonb_array_elements_text(p_run.classes -> 'outage') as e(entry)
                where p_run.error_class = e.entry
                   or (pg_catalog.right(e.entry, 1) = '*'
                       and pg_catalog.starts_with(p_run.error_class, pg_catalog.left(e.entry, -1))));
        end if;
        v_at := p_now + case when p_run.delay_ms is not null then pg_catalog.make_interval(secs => v_delay)
                             else postrider.delay(p_run.retry, p_run.attempts, p_u) end;
        v_status := case when not v_uncharged and p_run.attempts >= p_run.max_attempts then 'failed'
                         when v_kind = 'crashed' and p_run.crashes + 1 >= p_run.max_crashes then 'failed'
                         when v_at > p_run.started_at + postrider.max_age(p_run.retry) then 'failed'
                         else 'pending' end;
    else
        v_uncharged := v_kind in ('snooze', 'interrupted');
        if v_uncharged and p_run.delay_ms is not null then
            v_at := p_now + pg_catalog.make_interval(secs => v_delay);
        end if;
        v_status := case v_kind when 'delivered' then 'delivered' when 'terminal' then 'failed' else 'pending' end;
    end if;
    return row(v_kind, v_uncharged, v_status, v_at);
end
$$;
