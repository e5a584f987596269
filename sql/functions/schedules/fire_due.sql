-- fire_due(limit): publishes the messages of the slots that are due and moves their schedules on, in one transaction: a slot fires once,
-- however many sessions call this, and also if one of them fails. Any worker or operator may call it at any time.
-- The schedules of different owners take turns, so that those of one owner, with large messages, do not delay the others.
-- Schedules that another session is firing are skipped. A schedule whose message can no longer be published is paused, with the reason, and the
-- others fire.
-- p_limit: messages to publish at most, of 500 schedules at most: each may have a channel of its own, and a transaction may not have
--   many. fire_schedules() has further bounds.
-- The caller's transaction has to end soon: see end_soon().
-- Returns: how many schedules were due here, how many messages were published, how many slots were skipped, and when to call again at
--   the latest; null when no schedule can fire.
-- Raises: PR001 for a bad limit, PR005 outside READ COMMITTED, 54000 in a transaction that has published to many channels, and transient errors
--   (problem_passes()).
-- Touches: schedule, message, audit.
-- postrider: grant worker, operator
-- postrider: after end_soon, fire_schedules, problem_passes, audit_schedule, lock_doorbell, require_read_committed
create or replace function postrider.fire_due(
    p_limit int default 1000, out schedules int, out fired int, out skipped int, out again_at timestamptz
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'  -- times in JSON do not depend on the caller's settings
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_schedules text[];
    v_name text;
    v_until timestamptz;
    r record;
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'fire_due: the limit must be between 1 and 10000';
    end if;
    perform postrider.require_read_committed('fire_due');
    perform postrider.end_soon();
    if (select count(*) > 400 from pg_locks l
        where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = postrider.lock_doorbell()::oid) then
        -- The messages of schedules would be refused because of the channels, and the schedules paused.
        raise exception using errcode = '54000', message = 'fire_due: the transaction has published to too many channels',
            hint = 'Call it in a transaction of its own.';
    end if;
    with turns as materialized (
        select s.name, row_number() over (partition by s.owner order by s.next_at) as turn
        from postrider.schedule s where not s.paused and s.next_at <= v_now
    ), due as materialized (
        select t.name, t.turn from turns t join postrider.schedule s on s.name = t.name
        where not s.paused and s.next_at <= v_now
        order by t.turn, random()
        limit least(p_limit, 500)
        for no key update of s skip locked)
    select array_agg(d.name order by d.turn, random()) into v_schedules from due d;
    schedules := coalesce(cardinality(v_schedules), 0);
    fired := 0;
    skipped := 0;
    if v_schedules is not null then
        -- Sessions of workers use synchronous_commit = off: after a crash of the server the slot would fire again.
        if current_setting('synchronous_commit') = 'off' then
            perform set_config('synchronous_commit', 'on', true);
        end if;
        begin
            select f.fired, f.skipped into fired, skipped from postrider.fire_schedules(v_schedules, v_now, p_limit) f;
        exception when others then
            if postrider.problem_passes(sqlstate) then
                raise;
            end if;
            v_until := clock_timestamp() + interval '1 second';
            foreach v_name in array v_schedules loop
                begin
                    select f.fired, f.skipped into r from postrider.fire_schedules(array[v_name], v_now, p_limit - fired) f;
                    fired := fired + r.fired;
                    skipped := skipped + r.skipped;
                exception when others then
                    if postrider.problem_passes(sqlstate) then
                        raise;
                    end if;
                    update postrider.schedule set paused = true, paused_reason = sqlerrm where name = v_name;
                    perform postrider.audit_schedule('pause_schedule', 'postrider', 'its message cannot be published: ' || sqlerrm, v_name);
                end;
                exit when fired >= p_limit or clock_timestamp() > v_until;
            end loop;
        end;
    end if;
    select min(s.next_at) into again_at from postrider.schedule s where not s.paused;
    if v_schedules is null and again_at <= v_now then
        -- Another session is firing it.
        select least(min(s.next_at), v_now + interval '1 second') into again_at
        from postrider.schedule s where not s.paused and s.next_at > v_now;
    end if;
end
$$;
