-- retention_policy_check(): refuses policies that would remove an inbox entry while the outbox can still deliver its message again. The
-- lock serializes changes: two concurrent changes could each be valid alone and invalid together.
-- postrider: after require_read_committed, take_lock, lock_retention
create or replace function postrider.retention_policy_check() returns trigger
    language plpgsql
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_missing text;
    v_outbox interval;
    v_handled interval;
begin
    perform postrider.require_read_committed('a change of retention');
    perform postrider.take_lock(postrider.lock_retention(), 1, 'changes of retention');
    select string_agg(e, ', ') into v_missing
    from unnest('{outbox,dead_letter,event_handled,alert,replay,audit}'::text[]) e
    where not exists (select from postrider.retention_policy p where p.entity = e and p.class = '*');
    if v_missing is not null then
        raise exception using errcode = 'PR001',
            message = format('retention: %s must keep a policy for the class *', v_missing);
    end if;
    select max(case disposal when 'keep' then interval '1000000 days' else active_ttl + grace end) into v_outbox
    from postrider.retention_policy where entity = 'outbox';
    select case disposal when 'keep' then interval '1000001 days' else active_ttl end into v_handled
    from postrider.retention_policy where entity = 'event_handled';
    if v_handled <= v_outbox then
        raise exception using errcode = 'PR001',
            message = format('retention: event_handled is kept for %s, which is not longer than active_ttl + grace of outbox, %s',
                             v_handled, v_outbox),
            hint = 'Raise event_handled before outbox, and lower outbox before event_handled.';
    end if;
    return null;
end
$$;
