-- reap(limit): takes back the messages and deliveries of dead workers, and those held past their deadline.
-- It is unknown which of the messages and deliveries that a worker held were running, so they are due again uncharged, as suspects.
-- A suspect is claimed only for a free thread: it was running, and is charged with a crash. Any number of sessions may call it at once.
-- p_limit: maximum number of leases, and of deliveries, of which a call takes back at most 1000. A call takes back a lease of many messages in
-- part (park_step()), and ends soon after a second: call it again while it returns any. It waits half a second for circuits and unique keys, for all of
-- them together; then a later call handles the leases and consumers that have others. Consumers of different owners take turns, so that one that loses many does not delay
-- the others.
-- The caller's transaction has to end soon: see end_soon().
-- Returns: how many leases and how many deliveries were taken back.
-- Raises: PR001 for a bad limit.
-- Touches: worker, lease, lease_mark, delivery, unique_job, follower, the tables that end_members() touches, message (read).
-- postrider: grant worker, operator
-- postrider: after end_soon, lock_circuits, lock_idle_ordered, lost_leases, park_step, end_lost_lease, park_ordered, reap_deliveries, mark_leases, lock_claims, end_holds, refresh_some_limits
create or replace function postrider.reap(p_limit int default 100)
    returns table (leases int, deliveries int)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'  -- times in JSON do not depend on the caller's settings
    set lock_timeout = '10ms'  -- claims of several roles may wait meanwhile
    set jit = off  -- compiling its plans takes longer than running them
    set enable_seqscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_dead uuid[];
    v_busy int[];  -- ordered consumers to leave out
    v_step int;
    v_until timestamptz;  -- of the waits for locks
    l postrider.lease;
begin
    if p_limit is null or p_limit not between 1 and 1000000 then
        raise exception using errcode = 'PR001', message = 'reap: the limit must be between 1 and 1000000';
    end if;
    perform postrider.end_soon();
    -- If the clock was set back, alive_until is too far ahead. It is shortened; a live worker extends it in time.
    update postrider.worker set alive_until = v_now + alive_for
    where id = any (array(select w.id from postrider.worker w where w.alive_until > v_now + w.alive_for + interval '1 minute'
                          for update skip locked));
    v_busy := postrider.lock_idle_ordered();
    -- Locked, so that a concurrent heartbeat waits and then returns the lost leases.
    select coalesce(array_agg(d.id), '{}') into v_dead
    from (select id from postrider.worker where alive_until < v_now for update skip locked) d;

    leases := 0;
    v_until := clock_timestamp() + interval '500 ms';
    for l in
        select le.*
        from postrider.lost_leases(v_dead, v_busy, v_now, p_limit) o
        cross join lateral (select * from postrider.lease x
                            where x.consumer_id = o.stream and x.id = o.id and x.finished_at is null
                            for update skip locked) le
    loop
        -- An error with one lease must not affect the others.
        begin
            v_step := postrider.park_step(l);
            if v_step > 0 then
                perform postrider.lock_circuits(array[abs(l.consumer_id)], v_until);
                perform postrider.park_ordered(l, '{}', (
                    select jsonb_agg(jsonb_build_object(
                        'seq', s.seq, 'outcome', 'interrupted',
                        'error', case when l.deadline < v_now then 'lease deadline passed' else 'worker lost' end,
                        'error_class', case when l.deadline < v_now then 'lease_expired' else 'worker_lost' end))
                    from unnest(l.members[:v_step]) as s(seq)));
                perform postrider.end_lost_lease(l, l.members[v_step + 1:], v_now);
                leases := leases + 1;
            end if;
        exception when others then
            raise warning 'lease % of consumer % cannot be taken back: %', l.id, abs(l.consumer_id), sqlerrm;
        end;
        exit when clock_timestamp() > v_now + interval '1 second';
    end loop;

    deliveries := postrider.reap_deliveries(v_dead, v_busy, v_now, v_until, least(p_limit, 1000));
    perform postrider.end_holds(v_busy);
    perform postrider.refresh_some_limits();
    -- If the lock is not free, a running claim may write the mark. At most 100: each lock takes an entry of the server's lock table.
    perform postrider.mark_leases(c.id), postrider.mark_leases(-c.id)
    from (select o.id from postrider.consumer o cross join lateral (values (o.id), (-o.id)) as s(stream)
          where (select n.id from postrider.lease n where n.consumer_id = s.stream order by n.id desc limit 1)
              > 50 + coalesce((select m.upto from postrider.lease_mark m
                               where m.consumer_id = s.stream order by m.upto desc limit 1), 0)
          order by random() limit 100) c
    where pg_try_advisory_xact_lock(postrider.lock_claims(), c.id);
    return next;
end
$$;
