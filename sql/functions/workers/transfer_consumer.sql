-- transfer_consumer(consumer, to_role, actor, reason): gives the consumers of a name, on every channel, to another role. From then on
-- only members of that role may register, resume and run workers for them; workers of other roles are refused from their next call
-- on.
-- Raises: PR003 when there is no consumer of this name, PR001 for a role that does not exist, and without actor or reason, 55P03 when a worker
--   registers in a transaction that stays open for five seconds.
-- Touches: consumer_owner, worker, audit.
-- postrider: grant operator
-- postrider: after write_audit
create or replace function postrider.transfer_consumer(
    p_consumer text, p_to_role text, p_actor text default session_user, p_reason text default 'not given'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_before text;
begin
    if not exists (select from postrider.consumer where name = p_consumer) then
        raise exception using errcode = 'PR003',
            message = format('there is no consumer %s', coalesce(p_consumer, '(null)'));
    elsif not exists (select from pg_roles where rolname = p_to_role) then
        raise exception using errcode = 'PR001',
            message = format('transfer_consumer: %L is not a role', p_to_role),
            hint = 'Create the role first, or give one of pg_roles.';
    end if;
    -- Waits for workers of the old owner that are registering: see keep_owner().
    begin
        select role into v_before from postrider.consumer_owner where name = p_consumer for update;
    exception when lock_not_available then
        raise exception using errcode = '55P03',
            message = format('an open transaction registers a worker for consumer %s, or transfers it', p_consumer),
            hint = 'Try again, or end that transaction: pg_blocking_pids() and pg_stat_activity show the session.';
    end;
    insert into postrider.consumer_owner (name, role) values (p_consumer, p_to_role)
    on conflict (name) do update set role = excluded.role, since = clock_timestamp();
    -- Makes the next call of each worker check its user again, who may not be a member of the new role.
    update postrider.worker set login = null
    where consumer_id in (select c.id from postrider.consumer c where c.name = p_consumer);
    perform postrider.write_audit(
        p_actor, 'transfer_consumer', p_reason, jsonb_build_object('consumer', p_consumer),
        jsonb_build_object('owner', v_before), jsonb_build_object('owner', p_to_role));
end
$$;
