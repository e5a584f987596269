-- create_consumer(name, channel, from_beginning): makes sure a consumer exists.
-- A new consumer is owed every message published from now on, or everything the log still holds.
-- Returns: the consumer's id, also when it existed before.
-- Raises: PR013 for a malformed name, PR005 outside READ COMMITTED.
-- Touches: channel, consumer, lease.
-- postrider: after move_cursor, current_snapshot, require_read_committed
create or replace function postrider.create_consumer(
    p_consumer text, p_channel text default 'outbox_default', p_from_beginning boolean default false
) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_id int;
    v_start pg_snapshot := case when p_from_beginning then '1:1:' else postrider.current_snapshot() end;
begin
    if p_consumer is null or p_consumer !~ '^[a-z0-9_][a-z0-9_.-]{0,62}$' then
        raise exception using errcode = 'PR013',
            message = format('consumer name %L is not usable', p_consumer),
            hint = 'Use 1 to 63 of a-z, 0-9, "_", "-" and "."';
    elsif p_channel is null or octet_length(p_channel) not between 1 and 63 then
        raise exception using errcode = 'PR013', message = 'a channel name must have 1 to 63 bytes';
    end if;
    perform postrider.require_read_committed('create_consumer');
    -- Locked, because one that is just being removed is none any more.
    select id into v_id from postrider.consumer where name = p_consumer and channel = p_channel for key share;
    if found then
        return v_id;
    end if;
    insert into postrider.channel (name) values (p_channel) on conflict do nothing;
    insert into postrider.consumer (name, channel) values (p_consumer, p_channel)
    on conflict (name, channel) do nothing
    returning id into v_id;
    if not found then
        select id into strict v_id from postrider.consumer where name = p_consumer and channel = p_channel for key share;
        return v_id;
    end if;
    -- Whatever is still in progress belongs to the new consumer, however long ago it began.
    perform postrider.move_cursor(
        v_id, v_start, v_start, '18446744073709551615', '18446744073709551615', clock_timestamp(), clock_timestamp(),
        '-infinity', clock_timestamp());
    return v_id;
end
$$;
