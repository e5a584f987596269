-- replay_step(limit, replay): moves the next items of the replays that are under way, or of one of them.
-- Anyone may call it, at any time, at once, at least every second while there is one; everything it has to know is in the
-- tables. A replay moves as many items as its rate allows by the database's clock, whoever calls; what two seconds
-- allow is not saved up beyond. Canary items go first; while one of them runs the rest waits, and if one dies again
-- the replay pauses. Items that are no longer dead, or that nobody can run in its generation any more, are skipped, with a
-- note. A replay whose items cannot be moved pauses, and the others go on.
-- Returns: per replay what was moved and skipped now, its phase, and when to call again (null: it has ended or pauses).
-- Raises: PR001 for a bad limit, and what another attempt can be expected to get over: a lock, a cancellation.
-- Touches: replay, replay_item, delivery, audit; rings.
-- postrider: grant worker, operator
-- postrider: after revive, write_audit
create or replace function postrider.replay_step(p_limit int default 1000, p_replay bigint default null)
    returns table (replay bigint, moved int, skipped int, phase text, again_at timestamptz)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    v_budget int;
    v_ids bigint[];
    v_last int;      -- the number of the last item of this step
    v_upto int;      -- the number of the last item that may go
    v_moved bigint[];
    v_phase text;    -- as it was
    v_still interval;  -- how long nothing has changed
    r postrider.replay;
begin
    if p_limit is null or p_limit not between 1 and 100000 then
        raise exception using errcode = 'PR001', message = 'replay_step: the limit must be between 1 and 100000';
    end if;
    -- Whoever holds the row moves its items; others pass by.
    for r in
        select * from postrider.replay
        where phase in ('canary', 'running') and (p_replay is null or id = p_replay)
        order by id
        for no key update skip locked
    loop
        v_now := clock_timestamp();
        v_still := v_now - r.tokens_at;
        v_phase := r.phase;
        moved := 0;
        skipped := 0;
        r.tokens := case when r.rate is null then p_limit
                         else least(greatest(1, r.rate * 2), r.tokens + r.rate * greatest(0, extract(epoch from v_now - r.tokens_at))) end;
        if r.phase = 'canary' and r.moved_to >= least(r.canary, r.total) then
            if exists (select from postrider.replay_item where replay_id = r.id and number <= r.canary and outcome = 'failed') then
                r.phase := 'paused';
                r.paused_reason := 'a canary died again';
                perform postrider.write_audit(
                    'postrider', 'replay_pause', r.paused_reason, null, null, jsonb_build_object('replay', r.id));
            elsif not exists (select from postrider.replay_item
                              where replay_id = r.id and number <= r.canary and outcome = 'moved') then
                r.phase := 'running';
                r.canary_passed := true;
            end if;
        end if;
        v_upto := case r.phase when 'canary' then least(r.canary, r.total) when 'running' then r.total else 0 end;
        v_budget := least(p_limit, floor(r.tokens), v_upto - r.moved_to);
        if v_budget > 0 then
            begin
                select array_agg(i.delivery_id order by i.number), max(i.number) into v_ids, v_last
                from postrider.replay_item i
                where i.replay_id = r.id and i.number > r.moved_to and i.number <= r.moved_to + v_budget;
                -- Only those that are as they were when the set was frozen, and that require_generation() would let pass.
                v_moved := array(
                    select v.delivery_id from postrider.revive(array(
                        select d.id from postrider.replay_item i
                        cross join lateral (
                            select d.id from postrider.delivery d
                            where d.id = i.delivery_id and d.cycle = i.cycle
                              and (r.generation is null or d.handler = '' or exists (
                                       select from postrider.consumer c
                                       join postrider.consumer t on t.name = c.name and t.channel = 'outbox_gen_' || r.generation
                                       join postrider.handler h on h.consumer_id = t.id and h.name = d.handler and h.retired_at is null
                                       where c.id = d.consumer_id))
                            for no key update) d
                        where i.replay_id = r.id and i.number > r.moved_to and i.number <= v_last
                        order by i.number), 'failed', r.generation, r.actor, r.id) v);
                update postrider.replay_item i
                set outcome = 'moved', moved_at = v_now
                where i.replay_id = r.id and i.delivery_id = any (v_moved);
                moved := cardinality(v_moved);
                skipped := cardinality(v_ids) - moved;
                if skipped > 0 then
                    update postrider.replay_item i
                    set outcome = 'skipped', ended_at = v_now,
                        note = case when d.id is null then 'gone' when d.deleted_at is not null then 'discarded'
                                    when d.status = 'failed' and d.cycle = i.cycle then 'nobody can run it in that generation'
                                    else 'already replayed' end
                    from (select unnest(v_ids) as delivery_id) v
                    left join postrider.delivery d on d.id = v.delivery_id
                    where i.replay_id = r.id and i.delivery_id = v.delivery_id and i.outcome = 'waiting';
                end if;
                r.moved_to := v_last;
                r.tokens := r.tokens - moved;  -- what is skipped costs nothing
            exception when others then
                -- Conflicts, full disks, locks and shutdowns pass by themselves.
                if left(sqlstate, 2) in ('40', '53', '55', '57', '58') then
                    raise;
                end if;
                moved := 0;
                skipped := 0;
                r.phase := 'paused';
                r.paused_reason := 'its next items cannot be moved: ' || sqlerrm;
                perform postrider.write_audit(
                    'postrider', 'replay_pause', r.paused_reason, null, null, jsonb_build_object('replay', r.id));
            end;
        end if;
        if r.phase = 'running' and r.moved_to >= r.total
           and not exists (select from postrider.replay_item where replay_id = r.id and outcome = 'moved') then
            r.phase := 'finished';
            r.ended_at := v_now;
        end if;
        if moved > 0 or skipped > 0 or r.phase <> v_phase or v_still < interval '0' then  -- the last: the clock was set back
            update postrider.replay
            set phase = r.phase, canary_passed = r.canary_passed, tokens = r.tokens, tokens_at = v_now,
                moved_to = r.moved_to, paused_reason = r.paused_reason, ended_at = r.ended_at
            where id = r.id;
        end if;
        replay := r.id;
        phase := r.phase;
        again_at := case when r.phase not in ('canary', 'running') then null
                         -- What runs may end at once, or take its time.
                         when r.moved_to >= v_upto
                         then v_now + greatest(interval '50 ms', least(interval '1 second', v_still / 4))
                         when r.rate is null then v_now
                         else v_now + make_interval(secs => greatest(0, 1 - r.tokens) / r.rate) end;
        return next;
    end loop;
end
$$;
