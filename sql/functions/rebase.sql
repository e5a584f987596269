-- rebase(): makes a log that was copied into another database cluster usable there. Transaction ids of the
-- old cluster mean nothing in the new one, so everything still owed is turned into deliveries, the messages of
-- the old cluster are marked as older than every cursor, and every consumer gets a new cursor. Nothing is lost
-- and nothing is repeated; what was in flight when the copy was made is delivered again.
-- What was delivered before stays in the log, but the view outbox does not list it any more.
-- Publishing waits while it runs. In a cluster that needs no rebase it does nothing.
-- Returns: per consumer how many deliveries were made.
-- Raises: PR005 outside READ COMMITTED.
-- Touches: message (xid of old rows), delivery, lease, handler, worker, epoch.
-- postrider: after system_identifier, is_home, current_snapshot, require_read_committed, rebase_consumer, move_cursor
create or replace function postrider.rebase() returns table (consumer text, channel text, deliveries bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_here bigint := postrider.system_identifier();
    v_first_seq bigint;
    v_snapshot pg_snapshot;
    c postrider.consumer;
begin
    perform postrider.require_read_committed('rebase');
    lock table postrider.worker, postrider.message, postrider.lease in exclusive mode;
    if postrider.is_home() then
        return;
    end if;
    -- Nothing published here yet: every message came from the old cluster.
    select coalesce((select first_seq from postrider.epoch
                     where system_identifier = v_here and rebased_at is null),
                    nextval(pg_get_serial_sequence('postrider.message', 'seq')))
    into v_first_seq;

    for c in select * from postrider.consumer order by id loop
        consumer := c.name;
        channel := c.channel;
        deliveries := postrider.rebase_consumer(c.id, v_first_seq);
        return next;
    end loop;

    update postrider.message set xid = '1' where seq < v_first_seq;
    update postrider.handler
    set starts = row('2:2:', '2:2:', '2', 0)::postrider.position,
        ends = case when ends is not null then row('2:2:', '2:2:', '2', 0)::postrider.position end;
    delete from postrider.worker;
    v_snapshot := postrider.current_snapshot();
    perform postrider.move_cursor(
        co.id, v_snapshot, v_snapshot, '18446744073709551615', '18446744073709551615', clock_timestamp(),
        clock_timestamp(), '-infinity', clock_timestamp())
    from postrider.consumer co;
    insert into postrider.epoch (system_identifier, first_seq, rebased_at)
    select v_here, v_first_seq, greatest(clock_timestamp(), max(e.rebased_at) + interval '1 microsecond')
    from postrider.epoch e
    on conflict (system_identifier) do update
    set first_seq = excluded.first_seq, rebased_at = excluded.rebased_at;
end
$$;
