-- create_consumer(name, channel, from_beginning, owner, ordering): makes sure a consumer exists.
-- A new consumer is owed every message published from now on, or every message that is still in the log. A new name belongs to
-- p_owner, or to the session user, on every channel; a name that has an owner keeps it.
-- p_ordering: whether it is ordered; see set_ordering(). It changes a consumer that existed before.
-- Returns: the consumer's id, also when it existed before.
-- Raises: PR013 for a malformed name, PR005 outside READ COMMITTED, PR010 for a session user who is neither a member of the owning
--   role nor an operator, PR001 for an owner that is not a role, PR002 above the quota role_consumers, PR006 for a new consumer in a cluster
--   that needs a rebase, 55P03 as take_lock().
-- Touches: consumer, consumer_owner, lease, audit.
-- postrider: grant worker, operator
-- postrider: after is_member, may_work_for, write_audit, start_cursors, current_snapshot, require_read_committed, require_owner, own_consumer, require_cluster, set_ordering, take_lock, lock_claims, consumers_of_owner, require_quota
create or replace function postrider.create_consumer(
    p_consumer text, p_channel text default 'outbox_default', p_from_beginning boolean default false,
    p_owner text default null, p_ordering text default null
) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'  -- an open transaction of another role may have created the name
    as $$
declare
    v_id int;
    v_owner record;
    v_start pg_snapshot := case when p_from_beginning then '1:1:' else postrider.current_snapshot() end;
begin
    if p_consumer is null or p_consumer !~ '^[a-z0-9_][a-z0-9_.-]{0,62}$' then
        raise exception using errcode = 'PR013',
            message = format('invalid consumer name %L', p_consumer),
            hint = 'Use 1 to 63 of a-z, 0-9, "_", "-" and "."';
    elsif p_channel is null or octet_length(p_channel) not between 1 and 63 then
        raise exception using errcode = 'PR013', message = 'a channel name must have 1 to 63 bytes';
    end if;
    perform postrider.require_read_committed('create_consumer');
    -- An operator may create the consumer of another role.
    if not pg_has_role(session_user, 'postrider_operator', 'member') then
        perform postrider.require_owner(p_consumer);
    end if;
    -- Locked, because a concurrent transaction may be removing it.
    select id into v_id from postrider.consumer where name = p_consumer and channel = p_channel for key share;
    if found then
        if p_ordering is not null then
            perform postrider.take_lock(postrider.lock_claims(), v_id, 'claims of consumer ' || v_id);
            perform postrider.set_ordering(v_id, p_ordering);
        end if;
        return v_id;
    end if;
    -- Its cursor would be compared with messages of another cluster.
    perform postrider.require_cluster();
    if not exists (select from postrider.consumer where name = p_consumer) then
        perform postrider.own_consumer(p_consumer, p_owner);
        -- A concurrent transaction of another role may have created the name first.
        perform postrider.require_owner(p_consumer) where not postrider.is_member('postrider_operator');
    elsif not postrider.may_work_for(p_consumer) then
        perform postrider.write_audit(session_user, 'create_consumer', 'by ' || session_user,
                                      jsonb_build_object('consumer', p_consumer, 'channel', p_channel));
    end if;
    insert into postrider.consumer (name, channel) values (p_consumer, p_channel)
    on conflict (name, channel) do nothing
    returning id into v_id;
    if not found then
        select id into strict v_id from postrider.consumer where name = p_consumer and channel = p_channel for key share;
        return v_id;
    end if;
    v_owner := postrider.consumers_of_owner(v_id);
    perform postrider.require_quota(v_owner.role, 'role_consumers', cardinality(v_owner.ids), 'consumers');
    -- Messages of transactions that are still in progress are for the new consumer, however long ago those began.
    perform postrider.start_cursors(v_id, v_start);
    perform postrider.set_ordering(v_id, p_ordering);
    return v_id;
end
$$;
