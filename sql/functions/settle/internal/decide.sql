-- decide(outcome, class, delay_ms, now, u, attempts, max_attempts, crashes, crashes_max, retry, started_at, classes,
--   honour_terminal, outage, bury): what follows from the outcome of a run: the one place that chooses between retry
-- and dead letter, for whoever reports it. conclude() applies it to deliveries, park_ended() to first attempts.
-- attempts counts this run; outage: the handler's circuit is not closed; bury: an operator ends it. u is randomness.
--   delivered             delivered
--   terminal              dead
--   failed                again after the policy's delay; dead at max_attempts, or when that would be past max_age_ms;
--                         during an outage uncharged
--   crashed               as failed, never uncharged, and dead at crashes_max too
--   snooze, interrupted   again after delay_ms, uncharged
-- Returns: kind, the outcome after classify(); uncharged; the new status; when it is due again.
-- postrider: after classify, delay, max_age
create or replace function postrider.decide(
    p_outcome text, p_error_class text, p_delay_ms float8, p_now timestamptz, p_u float8, p_attempts int,
    p_max_attempts int, p_crashes int, p_crashes_max int, p_retry jsonb, p_started_at timestamptz, p_classes jsonb,
    p_honour_terminal boolean, p_outage boolean, p_bury boolean
) returns postrider.decision
    language plpgsql immutable parallel safe
    as $$
declare
    v_kind text := case when p_bury then 'terminal'
                        else postrider.classify(p_outcome, p_error_class, p_classes, p_honour_terminal) end;
    v_uncharged boolean;
    v_status text;
    -- A handler passes on what somebody else asked for: no number of theirs may keep a report from being made.
    v_delay constant float8 := least(greatest(p_delay_ms, 0), 1e12) / 1000;
    v_at timestamptz := p_now;
begin
    if v_kind in ('failed', 'crashed') then
        v_uncharged := v_kind = 'failed' and p_outage;
        v_at := p_now + case when p_delay_ms is not null then pg_catalog.make_interval(secs => v_delay)
                             else postrider.delay(p_retry, p_attempts, p_u) end;
        v_status := case when not v_uncharged and p_attempts >= p_max_attempts then 'failed'
                         when v_kind = 'crashed' and p_crashes + 1 >= p_crashes_max then 'failed'
                         when v_at > p_started_at + postrider.max_age(p_retry) then 'failed'
                         else 'pending' end;
    else
        v_uncharged := v_kind in ('snooze', 'interrupted');
        if v_uncharged and p_delay_ms is not null then
            v_at := p_now + pg_catalog.make_interval(secs => v_delay);
        end if;
        v_status := case v_kind when 'delivered' then 'delivered' when 'terminal' then 'failed' else 'pending' end;
    end if;
    return row(v_kind, v_uncharged, v_status, v_at);
end
$$;
