-- replay_step(limit, replay): moves the next items of the replays that are under way, or of one of them.
-- Any number of workers and operators may call it concurrently, at least every second while there is one; its whole state
-- is in the tables. A replay moves as many items as its rate allows by the database's clock, for all callers together;
-- unused rate accumulates for at most two seconds. Canary items go first; while one of them runs the rest waits, and if
-- one dies again the replay pauses. Items that are no longer dead, or that no consumer of its generation can run, are
-- skipped, with a note, and the next ones take the places of skipped canaries. A replay whose items cannot be moved pauses,
-- and the others go on. Workers call it between claims, so it waits 500 ms at most for a lock that another session keeps,
-- then 10 ms for each of the next ones, and tries again after 5 s.
-- The caller's transaction has to end soon: see end_soon().
-- Returns: per replay the number of items moved and skipped by this call, its phase, and when to call again (null: it has
--   ended or pauses).
-- Raises: PR001 for a bad limit, and transient errors such as a deadlock or a cancellation.
-- Touches: replay, replay_item, delivery, audit; rings.
-- postrider: grant worker, operator
-- postrider: after end_soon, replay_move, replay_judge_canary, replay_movable, replay_again_at, write_audit
create or replace function postrider.replay_step(p_limit int default 1000, p_replay bigint default null)
    returns table (replay bigint, moved int, skipped int, phase text, again_at timestamptz)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'  -- times in JSON do not depend on the caller's settings
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    set lock_timeout = '500ms'
    as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    v_budget int;
    v_last int;      -- the number of the last item of this step
    v_phase text;    -- as it was
    v_still interval;  -- the time since the last change
    v_locked boolean;  -- another session keeps a lock that it needs
    r postrider.replay;
begin
    if p_limit is null or p_limit not between 1 and 100000 then
        raise exception using errcode = 'PR001', message = 'replay_step: the limit must be between 1 and 100000';
    end if;
    perform postrider.end_soon();
    -- The session that holds the row moves its items; other sessions skip it.
    for r in
        select * from postrider.replay
        where phase in ('canary', 'running') and (p_replay is null or id = p_replay)
        order by id
        for no key update skip locked
    loop
        v_now := clock_timestamp();
        v_still := v_now - r.tokens_at;
        v_phase := r.phase;
        v_locked := false;
        moved := 0;
        skipped := 0;
        r.tokens := case when r.rate is null then p_limit
                         else least(greatest(1, r.rate * 2), r.tokens + r.rate * greatest(0, extract(epoch from v_still))) end;
        r := postrider.replay_judge_canary(r);
        v_budget := least(p_limit, floor(r.tokens), postrider.replay_movable(r));
        if v_budget > 0 then
            begin
                select m.moved, m.skipped, m.last into moved, skipped, v_last from postrider.replay_move(r, p_limit, v_budget, v_now) m;
                r.moved_to := v_last;
                r.untried := r.untried + skipped;
                r.tokens := r.tokens - moved;  -- skipped items cost nothing
            exception when others then
                if left(sqlstate, 2) in ('40', '53', '55', '57', '58') and sqlstate <> '55P03' then
                    raise;  -- transient: conflicts, full disks and shutdowns
                end if;
                v_locked := sqlstate = '55P03';
                perform set_config('lock_timeout', '10ms', true) where v_locked;  -- until the end of this function
                if not v_locked then
                    r.phase := 'paused';
                    r.paused_reason := 'its next items cannot be moved: ' || sqlerrm;
                end if;
            end;
        end if;
        if r.phase = 'paused' then
            perform postrider.write_audit(
                'postrider', 'replay_pause', r.paused_reason, null, null, jsonb_build_object('replay', r.id));
        elsif r.phase = 'running' and r.moved_to >= r.total
              and not exists (select from postrider.replay_item where replay_id = r.id and outcome = 'moved') then
            r.phase := 'finished';
            r.ended_at := v_now;
        end if;
        if moved > 0 or skipped > 0 or r.phase <> v_phase or v_still < interval '0' then  -- the last: the clock was set back
            update postrider.replay
            set phase = r.phase, canary_passed = r.canary_passed, canary_died = r.canary_died, tokens = r.tokens, tokens_at = v_now,
                moved_to = r.moved_to, untried = r.untried, paused_reason = r.paused_reason, ended_at = r.ended_at
            where id = r.id;
        end if;
        replay := r.id;
        phase := r.phase;
        again_at := case when v_locked then v_now + interval '5 seconds' else postrider.replay_again_at(r, v_still, v_now) end;
        return next;
    end loop;
end
$$;
