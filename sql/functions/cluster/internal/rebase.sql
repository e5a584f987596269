-- rebase(): makes a log that was copied into another database cluster usable there. Transaction ids of the
-- old cluster mean nothing in the new one, so all messages that are still owed become deliveries, the messages of the old
-- cluster are marked as older than every cursor, and every consumer gets a new cursor. No message is lost, and only messages
-- that were in flight when the copy was made are delivered again.
-- Delivered messages stay in the log, but the view outbox no longer lists them. Sequences that were not copied, as after
-- logical replication, continue behind the highest number in use.
-- Publishing waits while it runs. In a cluster that needs no rebase it does nothing and waits for nothing.
-- Returns: per consumer how many deliveries were made.
-- Raises: PR005 outside READ COMMITTED, PR012 while a subscription of logical replication writes into the log, 55P03 while an open transaction
--   publishes for more than five seconds.
-- Touches: message (xid of old rows), delivery, lease, handler, worker, schedule, epoch, deployment, the
--   sequences.
-- postrider: after system_identifier, is_home, current_snapshot, require_read_committed, rebase_consumer, start_cursors, log_is_ahead, advance_sequences, record_server, require_no_subscription
create or replace function postrider.rebase() returns table (consumer text, channel text, deliveries bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
#variable_conflict use_column
declare
    v_here bigint;
    v_first_seq bigint;
    v_snapshot pg_snapshot;
    c postrider.consumer;
begin
    perform postrider.require_read_committed('rebase');
    if postrider.is_home() and not postrider.log_is_ahead() then
        return;
    end if;
    begin
        lock table postrider.worker, postrider.message, postrider.lease, postrider.waiting, postrider.follower in exclusive mode;
    exception when lock_not_available then
        raise exception using errcode = 'lock_not_available',
            message = 'rebase: open transactions publish messages, or call functions of workers, and did not end within five seconds',
            hint = 'Publishing waits meanwhile. Run rebase again, or find the sessions: postrider doctor.';
    end;
    if postrider.is_home() and not postrider.log_is_ahead() then  -- another rebase has run
        return;
    end if;
    perform postrider.require_no_subscription();
    if not (select relispopulated from pg_class where oid = 'postrider.incarnation'::regclass) then
        refresh materialized view postrider.incarnation;
    end if;
    v_here := postrider.system_identifier();
    perform postrider.advance_sequences();
    -- No message was published since the move: all are from the old cluster.
    select coalesce((select min(first_seq) from postrider.epoch where rebased_at is null),
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
    update postrider.schedule set last_xid = null, last_seq = null where last_xid is not null;
    delete from postrider.worker;
    v_snapshot := postrider.current_snapshot();
    perform postrider.start_cursors(co.id, v_snapshot) from postrider.consumer co;
    delete from postrider.epoch where rebased_at is null and system_identifier <> v_here;
    insert into postrider.epoch (system_identifier, first_seq, rebased_at)
    select v_here, greatest(v_first_seq, max(e.first_seq) + 1),
           greatest(clock_timestamp(), max(e.rebased_at) + interval '1 microsecond')
    from postrider.epoch e where e.system_identifier <> v_here
    on conflict (system_identifier) do update
    set first_seq = excluded.first_seq,
        rebased_at = greatest(excluded.rebased_at, postrider.epoch.rebased_at + interval '1 microsecond');
    perform postrider.record_server();
end
$$;
