-- require_schedule(name, call): a schedule that the session user may change, locked until the end of the transaction, so that it does
-- not fire during the change.
-- Raises: PR014 when there is no such schedule, PR010 when the session user may not change it, 55P03 when another transaction that
--   fires or changes it does not end within 5 s.
-- Touches: schedule (lock).
-- postrider: after may_change_schedules, closest
create or replace function postrider.require_schedule(p_name text, p_call text) returns postrider.schedule
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    s postrider.schedule;
begin
    select * into s from postrider.schedule where name = p_name for update;
    if not found then
        raise exception using errcode = 'PR014', message = format('%s: there is no schedule %L%s', p_call, p_name,
            '; did you mean ' || postrider.closest(p_name, array(select name from postrider.schedule order by name limit 200)) || '?');
    elsif not postrider.may_change_schedules(s.owner) then
        raise exception using errcode = 'PR010',
            message = format('%s: schedule %s belongs to the role %s, and %s may not change it', p_call, p_name, s.owner, session_user),
            hint = 'Connect as a member of that role and of postrider_producer, or as an operator.';
    end if;
    return s;
exception when lock_not_available then
    raise exception using errcode = 'lock_not_available',
        message = format('%s: another transaction that has not ended fires or changes schedule %s', p_call, p_name),
        hint = 'Find its session with postrider doctor or in pg_locks, end it (pg_terminate_backend), and try again.';
end
$$;
