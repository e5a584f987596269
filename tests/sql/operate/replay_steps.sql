-- Promises about the steps of a replay:
--   skipped items are recorded with their reason and do not count against the rate; every item says when it was moved or when it ended
--   a canary that is larger than the set is the whole set; as many canaries run as were asked for, however many items are skipped before them, and after a pause
--   a step moves no more than is asked for, and however low its rate is a replay goes on
--   each phase allows exactly its transitions; workers are notified when a replay goes on
--   the final numbers are counted once, when nothing of the replay runs any more
--   of two replays of the same dead letters each has its own items and results
--   a delivery without a handler goes to a generation that has one
\ir ../include/promises.sql
\ir ../include/dead.sql
\set heard `mktemp`
\setenv HEARD :heard

-- skipped items are recorded with their reason and do not count against the rate
do $$
declare
    w uuid := promise.worker('skipped');
    v_ids bigint[];
    v_replay bigint;
begin
    perform promise.publish('skipped', 4);
    commit;
    call promise.die(w);
    -- So slow that one is all it allows.
    v_replay := postrider.replay_start('{"channel": "skipped"}', 'ann', 'fixed', p_rate => 0.001);
    commit;
    v_ids := array(select delivery_id from postrider.replay_items where replay = v_replay order by number);
    -- The first died once more meanwhile: its replay has seen the outcome.
    perform postrider.outbox_replay((select id from postrider.dead_letters where delivery_id = v_ids[1]), null, 'bob');
    assert promise.run(w, 1, 'terminal', 'no') = 1;
    delete from postrider.delivery where id = v_ids[2];
    perform postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(v_ids[3])), 'bob', 'not worth it');
    for i in 1..3 loop
        assert (select (r.moved, r.skipped) = (0, 1) from postrider.replay_step(1, v_replay) r);
        assert (select tokens from postrider.replay where id = v_replay) = 1;
    end loop;
    assert (select r.moved from postrider.replay_step(10, v_replay) r) = 1;
    assert (select array_agg(concat_ws(', ', outcome, note) order by number)
            from postrider.replay_items where replay = v_replay)
         = '{"skipped, already replayed","skipped, gone","skipped, discarded",moved}';
    assert (select bool_and((moved_at is null, ended_at is null) = (outcome = 'skipped', outcome = 'moved'))
            from postrider.replay_items where replay = v_replay);
    assert (select array_agg(status || ' ' || cycle order by id) from postrider.delivery where id = any (v_ids))
         = '{"failed 2","failed 1","pending 2"}';
end
$$;

-- a canary that is larger than the set is the whole set
do $$
declare
    w uuid := promise.worker('canary');
    v_replay bigint;
begin
    perform promise.publish('canary', 2);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "canary"}', 'ann', 'fixed', p_canary => 5);
    assert (select (r.moved, r.phase) = (2, 'canary') from postrider.replay_step(10, v_replay) r);
    commit;
    assert (select (r.moved, r.phase) = (0, 'canary') from postrider.replay_step(10, v_replay) r), 'they still run';
    assert promise.run(w, 2, 'delivered') = 2;
    assert (select r.phase from postrider.replay_step(10, v_replay) r) = 'finished';
    assert (select canary_passed and ended_at is not null from postrider.replays where replay = v_replay);
end
$$;

-- a step moves no more than is asked for, and however low its rate is a replay goes on
do $$
declare
    w uuid := promise.worker('pace');
    v_replay bigint;
    v_before timestamptz;
begin
    perform promise.publish('pace', 9);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "pace"}', 'ann', 'fixed', p_rate => 1000);
    update postrider.replay set tokens = 100 where id = v_replay;
    assert (select r.moved from postrider.replay_step(3, v_replay) r) = 3;
    update postrider.replay set rate = 0.1, tokens = 0, tokens_at = '2020-01-01' where id = v_replay;
    assert (select r.moved from postrider.replay_step(3, v_replay) r) = 1;
    -- With a rate the next step has several items.
    v_before := clock_timestamp();
    update postrider.replay set rate = 1000, tokens = 1, tokens_at = v_before where id = v_replay;
    assert (select r.again_at >= v_before + interval '100 ms' from postrider.replay_step(1, v_replay) r);
    -- Without a rate the caller moves the next items at once; when all run, it polls now and then.
    update postrider.replay set rate = null where id = v_replay;
    assert (select r.again_at <= clock_timestamp() from postrider.replay_step(1, v_replay) r);
    perform postrider.replay_step(10, v_replay);
    v_before := clock_timestamp();
    assert (select r.again_at >= v_before + interval '10 ms' from postrider.replay_step(10, v_replay) r);
    perform promise.raises('select postrider.replay_step(null)', 'PR001');
end
$$;

-- a delivery without a handler goes to a generation that has one
do $$
declare
    w uuid := promise.worker('outbox_gen_1', '[{"name": "a.x", "event_types": ["a"]}]');
    n uuid := promise.worker('outbox_gen_2', '[{"name": "b.x", "event_types": ["orphan"]}]');
    v_delivery bigint;
    v_replay bigint;
begin
    perform postrider.publish('orphan', p_channel => 'outbox_gen_1', p_target => 'reader');
    commit;
    perform postrider.claim(w);
    commit;
    select id into strict v_delivery from postrider.delivery where channel = 'outbox_gen_1' and handler = '';
    perform postrider.bury(array[v_delivery], 'ann', 'not needed');
    v_replay := postrider.replay_start('{"channel": "outbox_gen_1"}', 'ann', 'needed now', p_generation => 2);
    assert (select r.moved from postrider.replay_step(10, v_replay) r) = 1;
    commit;
    assert (select array_agg(c.handler) from postrider.claim_due(n) c where c.delivery_id = v_delivery) = '{b.x}';
end
$$;

-- each phase allows exactly its transitions
do $$
declare
    w uuid := promise.worker('phases');
    v_replay bigint;
    v_state text;
    a record;
begin
    perform promise.publish('phases', 2);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "phases"}', 'ann', 'fixed', p_canary => 1);
    for a in select p.phase, c.act, p.phase = any (c.allowed) as allowed
             from unnest('{proposed,canary,running,paused,finished,cancelled}'::text[]) as p(phase)
             cross join (values ('pause', '{canary,running}'::text[]), ('resume', '{paused}'),
                                ('cancel', '{proposed,canary,running,paused}')) as c(act, allowed)
    loop
        update postrider.replay set phase = a.phase where id = v_replay;
        v_state := 'done';
        begin
            execute format('select postrider.replay_%s(%s, ''ann'', ''x'')', a.act, v_replay);
        exception when others then
            v_state := sqlstate;
        end;
        assert v_state = case when a.allowed then 'done' else 'PR012' end, format('%s: %s', a, v_state);
    end loop;
end
$$;

-- workers are notified when a replay goes on: they poll less often for replays than for messages
do $$
declare
    w uuid := promise.worker('told');
begin
    perform promise.publish('told', 1);
    commit;
    call promise.die(w);
    perform postrider.replay_pause(postrider.replay_start('{"channel": "told"}', 'ann', 'fixed'), 'ann', 'wait');
end
$$;
listen told;
\o :heard
select postrider.replay_resume(max(replay), 'ann', 'now') from postrider.replays;
select 1;
\o
\set told `grep -c '"told" with payload "replay"' "$HEARD"`
\! rm -f "$HEARD"
select promise.raises(format('do $q$ begin assert %L = ''1'', ''told %s times''; end $q$', :'told', :'told'), '00000');

-- the final numbers are counted once, when nothing of the replay runs any more
do $$
declare
    w uuid := promise.worker('counted');
    v_first bigint;
    v_second bigint;
begin
    perform postrider.count_replays();
    perform promise.publish('counted', 5);
    commit;
    call promise.die(w);
    v_first := postrider.replay_start('{"channel": "counted"}', 'ann', 'fixed');
    perform postrider.replay_step(3, v_first);
    commit;
    assert promise.run(w, 1, 'delivered') = 1 and promise.run(w, 1, 'terminal') = 1;
    assert postrider.count_replays() = 0, 'it goes on';
    perform postrider.replay_cancel(v_first, 'ann', 'enough');
    assert postrider.count_replays() = 0, 'one still runs';
    assert promise.run(w, 1, 'delivered') = 1;
    -- Of another replay nothing is counted here.
    v_second := postrider.replay_start('{"channel": "counted"}', 'ann', 'again');
    assert postrider.count_replays() = 1;
    assert (select counts from postrider.replay where id = v_first) = '{2,1,0,2}';
    assert postrider.count_replays() = 0, 'it was counted';
    assert (select counts is null from postrider.replay where id = v_second);
end
$$;

-- of two replays of the same dead letters each has its own items and results
do $$
declare
    w uuid := promise.worker('both');
    v_first bigint;
    v_second bigint;
    v_delivery bigint;
begin
    perform promise.publish('both', 4);
    commit;
    call promise.die(w);
    v_first := postrider.replay_start('{"channel": "both"}', 'ann', 'fixed', p_canary => 2);
    v_second := postrider.replay_start('{"channel": "both"}', 'bob', 'fixed', p_canary => 2);
    select delivery_id into v_delivery from postrider.replay_items where replay = v_first and number = 1;
    perform postrider.discard(jsonb_build_object('deliveries', jsonb_build_array(v_delivery)), 'ann', 'not worth it');
    assert (select (r.moved, r.skipped) = (2, 1) from postrider.replay_step(10, v_first) r);
    assert (select array_agg(distinct outcome) from postrider.replay_items where replay = v_second) = '{waiting}';
    commit;
    -- The canaries of the first die; the second one's were skipped, which proves nothing: the next one takes their place.
    assert promise.run(w, 2, 'terminal', 'no') = 2;
    assert (select r.phase from postrider.replay_step(10, v_first) r) = 'paused';
    assert (select (r.moved, r.skipped, r.phase) = (1, 3, 'canary') from postrider.replay_step(10, v_second) r);
    assert (select array_agg(outcome order by number) from postrider.replay_items where replay = v_first)
         = '{skipped,failed,failed,waiting}';
    assert (select array_agg(outcome order by number) from postrider.replay_items where replay = v_second)
         = '{skipped,skipped,skipped,moved}';
    commit;
    assert promise.run(w, 1, 'delivered') = 1;
    assert (select r.phase = 'finished' from postrider.replay_step(10, v_second) r);
    assert (select canary_passed from postrider.replays where replay = v_second);
end
$$;

-- as many canaries run as were asked for, however many items are skipped before them, and after a pause too
do $$
declare
    w uuid := promise.worker('gone');
    v_ids bigint[];
    v_replay bigint;
    s record;
begin
    perform promise.publish('gone', 60);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "gone"}', 'ann', 'fixed', p_canary => 2, p_rate => 1);
    select array_agg(delivery_id order by number) into v_ids from postrider.replay_items where replay = v_replay;
    perform postrider.discard(jsonb_build_object('deliveries', to_jsonb(v_ids[:40])), 'ann', 'not worth it');
    commit;
    select * into s from postrider.replay_step(30, v_replay);
    assert (s.moved, s.skipped, s.phase) = (0, 30, 'canary') and s.again_at <= clock_timestamp(), s;  -- not at the rate
    perform postrider.replay_pause(v_replay, 'ann', 'lunch');
    perform postrider.replay_resume(v_replay, 'ann', 'back');
    update postrider.replay set tokens = 5, tokens_at = clock_timestamp() where id = v_replay;
    select * into s from postrider.replay_step(30, v_replay);
    assert (s.moved, s.skipped, s.phase) = (2, 10, 'canary'), s;
    perform postrider.replay_pause(v_replay, 'ann', 'a walk');
    perform postrider.replay_resume(v_replay, 'ann', 'back');
    assert (select (r.moved, r.phase) = (0, 'canary') from postrider.replay_step(30, v_replay) r);
    -- A canary that is cancelled proves nothing either.
    perform postrider.cancel(jsonb_build_object('ids', (select jsonb_agg(d.message_id) from postrider.delivery d where d.id = any (v_ids[41:42]))), 'ann', 'not these');
    update postrider.replay set tokens = 5, tokens_at = clock_timestamp() where id = v_replay;
    commit;
    select * into s from postrider.replay_step(30, v_replay);
    assert (s.moved, s.skipped, s.phase) = (2, 0, 'canary'), s;
    commit;
    assert promise.run(w, 2, 'delivered') = 2;
    assert (select r.phase = 'running' from postrider.replay_step(30, v_replay) r);
    assert (select (canary, canary_passed) = (2, true) from postrider.replays where replay = v_replay);
end
$$;

-- a canary that dies while an operator pauses the replay pauses it again, before others are moved
do $$
declare
    w uuid := promise.worker('verdict');
    v_replay bigint;
    s record;
begin
    perform promise.publish('verdict', 6);
    commit;
    call promise.die(w);
    v_replay := postrider.replay_start('{"channel": "verdict"}', 'ann', 'fixed', p_canary => 3, p_rate => 1);
    update postrider.replay set tokens = 2, tokens_at = clock_timestamp() where id = v_replay;
    select * into s from postrider.replay_step(10, v_replay);
    assert (s.moved, s.phase) = (2, 'canary'), s;
    perform postrider.replay_pause(v_replay, 'ann', 'a canary died again');  -- in her words
    commit;
    assert promise.run(w, 1, 'terminal', 'no') = 1;
    perform postrider.replay_resume(v_replay, 'ann', 'deployed');
    select * into s from postrider.replay_step(10, v_replay);
    assert (s.moved, s.phase) = (0, 'paused'), s;
    assert (select paused_reason = 'a canary died again' and not canary_passed from postrider.replays where replay = v_replay);
    perform postrider.replay_resume(v_replay, 'ann', 'that one is broken');
    assert (select r.phase = 'running' from postrider.replay_step(10, v_replay) r);
end
$$;
