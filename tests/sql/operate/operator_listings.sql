-- Promises about the operators' lists of discarded dead letters, audit entries and workers:
--   discarded dead letters are listed page by page, with the reason; a filter means the same as elsewhere
--   maintain() moves the items of replays
--   the audit has the actor and the reason of a pause
--   workers are listed with the leases they hold
\ir ../include/promises.sql
\ir ../include/dead.sql

do $$
declare
    w uuid := promise.worker('pages', '[{"name": "p.x", "event_types": ["*"]}]');
    r record;
    v_seen bigint[] := '{}';
    v_after timestamptz;
    v_delivery bigint;
    v_rows int;
begin
    perform promise.publish('pages', 7, 'p.one');
    commit;
    call promise.die(w, 'terminal', 'no user 7', 'missing');
    assert not exists (select from postrider.discarded_page());
    perform postrider.discard('{"channel": "pages"}', 'ann', 'spam');
    loop
        v_rows := 0;
        for r in select * from postrider.discarded_page('{"channel": "pages", "error": "USER"}', 2, v_after, v_delivery) loop
            assert r.deleted_reason = 'spam' and r.handler = 'p.x' and r.deleted_at is not null, r::text;
            v_seen := v_seen || r.delivery_id;
            v_after := r.dead_at;
            v_delivery := r.delivery_id;
            v_rows := v_rows + 1;
        end loop;
        exit when v_rows < 2;
    end loop;
    assert v_seen = array(select id from postrider.delivery where channel = 'pages' order by dead_at desc, id), v_seen::text;
    assert cardinality(v_seen) = 7;
    perform postrider.restore(jsonb_build_object('deliveries', to_jsonb(v_seen[2:])), 'ann', 'it was not');
    assert (select array_agg(delivery_id) from postrider.discarded_page()) = v_seen[1:1];
end
$$;

select promise.raises($$select postrider.discarded_page('{}', 0)$$, 'PR001');
select promise.raises($$select postrider.discarded_page('{}', 10001)$$, 'PR001');
select promise.raises($$select postrider.discarded_page('{"hander": "x"}')$$, 'PR001');

-- maintain() moves the items of replays
do $$
declare
    v_replay bigint := postrider.replay_start('{"channel": "pages"}', 'ann', 'fixed');
begin
    assert (postrider.replay_status(v_replay)).waiting = 6;
    assert (select count(*) from postrider.maintain() m where m = format('replay %s: moved 6, skipped 0, is running', v_replay)) = 1;
    assert (postrider.replay_status(v_replay)).moved = 6;
    assert not exists (select from postrider.maintain() m where m like 'replay%'), 'it had nothing to tell';
end
$$;

-- the audit has the actor and the reason of a pause
do $$
begin
    perform postrider.pause_consumer('reader', true, 'pages', 'ann', 'their database is down');
    assert (select paused from postrider.consumers where channel = 'pages');
    perform postrider.pause_consumer('reader', false, 'pages');
    assert (select array_agg(format('%s %s %s', actor, action, reason) order by audit) from postrider.audits
            where filter ->> 'channel' = 'pages' and action like '%consumer')
        = array['ann pause_consumer their database is down', session_user || ' resume_consumer not given'];
end
$$;

-- workers are listed with the leases they hold
do $$
declare
    v_id uuid := (select worker from postrider.workers where channel = 'pages');
    r record;
begin
    perform postrider.claim_due(v_id, 2);
    select * into r from postrider.workers where worker = v_id;
    assert r.alive and r.consumer = 'reader' and r.handlers = '{p.x}' and r.deliveries = 2 and r.leased = 0, r::text;
end
$$;

-- a step of the housekeeping that cannot be done does not keep the others from it
do $$
declare
    v_said text[];
begin
    insert into postrider.replay (phase, actor, reason, filter, canary, canary_passed, rate, tokens, tokens_at, total)
    values ('running', 'ann', 'slower than any number', '{}', 0, true, 1e-320, 0, now(), 1);
    update postrider.retention_policy set active_ttl = '3000000 days' where entity = 'audit';
    update postrider.setting set value = (value::int + 1)::text where name = 'partitions_ahead';
    set local client_min_messages = error;
    v_said := array(select * from postrider.maintain());
    assert (select count(*) from unnest(v_said) m where m ~ '^(replays|retention): ') = 2, v_said;
    assert (select count(*) from unnest(v_said) m where m ~ '^made partition') = 1, v_said;
end
$$;
