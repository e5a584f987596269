-- publish_set(name, members, message, dead): publishes jobs in the caller's transaction, and the message p_message when all of them have
-- ended: delivered, dead, cancelled or discarded. The transaction that ends the last one publishes it, exactly once.
-- p_members is add_to_set()'s. More members can be added in the same transaction; its commit closes the set.
-- p_message is an object of publish_many() without an id. It is published with the source 'set:' and the name unless it has one, and with
--   the headers set (the name), members and failed (how many died, were cancelled or were lost with their consumer) besides its own.
-- p_dead: ends: a dead member has ended. blocks: it has not, until a replay of it is delivered, or it is discarded.
-- Returns: the ids of the members, in their order.
-- Raises: PR001 and PR002 as publish_many(), PR001 without members, PR012 when an open set has the name, 55P03 when another transaction
--   that publishes a set of the name does not end within 5 s, the errors of add_to_set().
-- Touches: job_set, set_member, message.
-- postrider: grant producer
-- postrider: after add_to_set, require_publishable, set_message
create or replace function postrider.publish_set(p_name text, p_members jsonb, p_message jsonb, p_dead text default 'ends')
    returns uuid[]
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
begin
    if coalesce(p_name, '') !~ '^[a-zA-Z0-9_][a-zA-Z0-9_.:-]{0,126}$' then
        raise exception using errcode = 'PR001', message = format('publish_set: invalid name %L', left(p_name, 128)),
            hint = 'Use 1 to 127 of letters, digits, "_", "-", "." and ":".';
    elsif p_dead is null or p_dead not in ('ends', 'blocks') then
        raise exception using errcode = 'PR001',
            message = format('publish_set: dead must be ends or blocks, got %s', coalesce(left(p_dead, 64), 'none'));
    elsif p_members = '[]' then
        raise exception using errcode = 'PR001', message = 'publish_set: a set needs a member';
    end if;
    -- Checked in its final form, so that it is not refused when the members have ended.
    perform postrider.require_publishable(
        'publish_set', case when jsonb_typeof(p_message) = 'object'
                            then postrider.set_message(p_name, p_message, 999999999, 999999999) else p_message end, '{id}');
    begin
        insert into postrider.job_set (name, message, dead) values (p_name, p_message, p_dead)
        on conflict (name) where completed_at is null do nothing;
    exception when lock_not_available then
        raise exception using errcode = 'lock_not_available',
            message = format('publish_set: another transaction publishes a set %s and has not ended', p_name),
            hint = 'Give every set a name of its own, for example with an id in it.';
    end;
    if not found then
        raise exception using errcode = 'PR012', message = format('publish_set: there is a set %s that has not completed', p_name),
            hint = 'Give every set a name of its own, for example with an id in it.';
    end if;
    return postrider.add_to_set(p_name, p_members);
end
$$;
