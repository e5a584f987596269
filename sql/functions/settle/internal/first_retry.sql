-- first_retry(now, u, error_class, max_attempts, crashes_max, retry, classes, honour_terminal): when a message is due again
-- whose first attempt has just failed. decide() for exchange_native(), which remembers the answers: all arguments but u are
-- the same for all failures of a class that a handler has.
-- Returns: an instant; null when something else follows than another attempt, or when that depends on the message's age.
-- postrider: after decide, max_age
create or replace function postrider.first_retry(
    p_now timestamptz, p_u float8, p_error_class text, p_max_attempts int, p_crashes_max int, p_retry jsonb,
    p_classes jsonb, p_honour_terminal boolean
) returns timestamptz
    language plpgsql immutable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    d postrider.decision := postrider.decide(
        row('failed', p_error_class, null, 1, p_max_attempts, 0, p_crashes_max, p_retry, p_now, p_classes, p_honour_terminal,
            false, false)::postrider.run, p_now, p_u);
begin
    return case when d.kind = 'failed' and d.status = 'pending' and not d.uncharged
                     and postrider.max_age(p_retry) is null then d.available_at end;
end
$$;
