-- seek_consumer(consumer, to, actor, reason, channel, dry_run): moves a consumer to an instant (null: now). Messages that were published before
-- it and not handed out yet are skipped: they are never handed out. Messages that were published since and handed out already are handed
-- out again, as far as they are still in the log, whatever their outcome.
-- Messages of a lease stay with their worker, and deliveries (retries, dead letters) stay as they are: a message that runs or is retried
-- may run a second time in parallel. Messages that wait, with a priority or an available_at, are skipped, and never handed out again; unique
-- keys of skipped jobs are free, and they have ended for their set. Messages that wait for their ordering key were not handed out yet. The
-- boundary lies between transactions. So some messages from before the instant are handed out as well: those of transactions that began to
-- write after the first one that published since, and those of transactions that have not ended.
-- p_dry_run: returns the same numbers, changes nothing and does not block claims.
-- Returns: how many messages are skipped, of them those that wait, and how many are handed out again, as it was before claims had to wait.
-- Raises: PR001 for an instant in the future or without actor or reason, PR003 unknown consumer, PR005 outside READ COMMITTED, PR006 in a
--   cluster that needs a rebase, 55P03 as take_lock().
-- Touches: lease, waiting, follower, handler, consumer, unique_job, audit and the tables that end_members() touches; message (read); rings.
-- postrider: grant operator
-- postrider: after count_seek, current_snapshot, lock_claims, move_to, note_all_waiting, require_cluster, require_read_committed, ring, skip_followers, skip_waiting, snapshot_at, take_lock, write_audit
create or replace function postrider.seek_consumer(
    p_consumer text, p_to timestamptz, p_actor text, p_reason text, p_channel text default 'outbox_default',
    p_dry_run boolean default false, out skipped bigint, out waiting bigint, out again bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_to timestamptz := coalesce(p_to, clock_timestamp());
    v_at pg_snapshot;
    c postrider.consumer;
begin
    perform postrider.require_read_committed('seek_consumer');
    if v_to > clock_timestamp() then
        raise exception using errcode = 'PR001', message = format('seek_consumer: %s is in the future', v_to);
    end if;
    select * into c from postrider.consumer where name = p_consumer and channel = p_channel;
    if not found then
        raise exception using errcode = 'PR003', message = format('there is no consumer %s on channel %s', p_consumer, p_channel);
    end if;
    perform postrider.require_cluster();
    -- Both read the log, so they run before the claim lock is taken.
    v_at := case when p_to is null then postrider.current_snapshot() else postrider.snapshot_at(p_channel, v_to) end;
    select s.skipped, s.waiting, s.again into skipped, waiting, again from postrider.count_seek(c, v_at, v_to) s;
    if coalesce(p_dry_run, false) then
        return;
    end if;
    perform postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id);
    select * into strict c from postrider.consumer where id = c.id;
    if p_to is null then
        v_at := postrider.current_snapshot();  -- again, because claims continued until now
    end if;
    perform postrider.write_audit(
        p_actor, 'seek_consumer', p_reason, jsonb_build_object('consumer', p_consumer, 'channel', p_channel, 'to', v_to), null,
        jsonb_build_object('skipped', skipped, 'waiting', waiting, 'again', again));
    perform postrider.move_to(c.id, v_at);
    perform postrider.skip_waiting(c.id, v_to);
    perform postrider.skip_followers(c.id);
    perform postrider.ring(p_channel);
end
$$;
