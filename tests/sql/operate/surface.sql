-- Promises about the operator's surface:
--   an access token is found by its hash until it is revoked or expires, and its name is unique meanwhile
--   a payload is revealed with a reason, which is audited, and only within a workspace
--   a page of the log applies its filter, and rejects unknown keys
--   groups count dead letters by fingerprint and time
--   figures have the backlog of a consumer, exact while it is small, and its rate
\ir ../include/promises.sql
\ir ../include/dead.sql

do $$
declare
    v_hash bytea := sha256('secret');
    t record;
begin
    perform postrider.create_token('ann', v_hash, 'operator', null, null, 'bob', 'on call');
    select * into strict t from postrider.find_token(v_hash);
    assert (t.name, t.role, t.workspace_id is null, t.expires_at is null) = ('ann', 'operator', true, true), t;
    assert not exists (select from postrider.find_token(sha256('Secret')));
    perform promise.raises($q$select postrider.create_token('ann', sha256('b'), 'viewer', null, null, 'bob', 'x')$q$, 'PR012');
    perform promise.raises($q$select postrider.create_token('eve', sha256('b'), 'owner', null, null, 'bob', 'x')$q$, 'PR001');
    perform promise.raises($q$select postrider.create_token('e ve', sha256('b'), 'viewer', null, null, 'bob', 'x')$q$, 'PR001');
    perform promise.raises($q$select postrider.create_token('eve', 'b', 'viewer', null, null, 'bob', 'x')$q$, 'PR001');
    perform promise.raises($q$select postrider.create_token('eve', sha256('b'), 'viewer', null, now() - interval '1 s', 'bob', 'x')$q$, 'PR001');
    perform promise.raises($q$select postrider.create_token('eve', sha256('b'), 'viewer', null, null, 'bob', ' ')$q$, 'PR001');
    perform postrider.revoke_token('ann', 'bob', 'left');
    assert not exists (select from postrider.find_token(v_hash));
    perform promise.raises($q$select postrider.revoke_token('ann', 'bob', 'left')$q$, 'PR014');
    perform postrider.create_token('ann', sha256('new'), 'viewer', null, clock_timestamp() + interval '1 hour', 'bob', 'back');
    update postrider.access_token set expires_at = clock_timestamp() where sha256 = sha256('new');
    assert not exists (select from postrider.find_token(sha256('new')));
    -- An expired token frees its name.
    perform postrider.create_token('ann', sha256('newer'), 'viewer', null, null, 'bob', 'back');
    assert (select count(*) from postrider.tokens where in_use) = 1;
    assert (select count(*) from postrider.tokens) = 3;
    assert (select array_agg(action order by audit) from postrider.audits)
         = '{create_token,revoke_token,create_token,create_token}';
end
$$;

do $$
declare
    w uuid := promise.worker('shown', '[{"name": "a.x", "event_types": ["*"]}]');
    v_space uuid := gen_random_uuid();
    v_id uuid;
    v_delivery bigint;
    g record;
begin
    v_id := postrider.publish('a.b', '{"n": 1}', p_channel => 'shown', p_headers => '{"h": 2}', p_workspace_id => v_space,
                              p_idempotency_key => 'k', p_trace_context => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
    perform postrider.publish('c.d', p_channel => 'shown');
    commit;
    call promise.die(w, 'terminal', 'no 1');
    select id into strict v_delivery from postrider.delivery where message_id = v_id;
    assert postrider.reveal(v_id, null, null, 'ann', 'x') = '{"payload": {"n": 1}, "headers": {"h": 2}, "metadata": null}';
    assert postrider.reveal(null, v_delivery, v_space, 'ann', 'x') -> 'payload' = '{"n": 1}';
    assert (select count(*) from postrider.audits where action = 'reveal' and actor = 'ann') = 2;
    perform promise.raises(format('select postrider.reveal(%L, null, %L, %L, %L)', v_id, gen_random_uuid(), 'ann', 'x'), 'PR014');
    perform promise.raises(format('select postrider.reveal(null, %s, null, %L, null)', v_delivery, 'ann'), 'PR001');

    assert (select array_agg(p.id) from postrider.message_page(jsonb_build_object('id', v_id)) p) = array[v_id];
    assert (select array_agg(p.id) from postrider.message_page('{"channel": "shown", "idempotency_key": "k"}') p) = array[v_id];
    assert (select array_agg(p.id) from postrider.message_page('{"channel": "shown", "event_type": "a.*"}') p) = array[v_id];
    assert (select array_agg(p.id) from postrider.message_page('{"channel": "shown", "trace": "4bf92f3577b34da6a3ce929d0e0e4736"}') p) = array[v_id];
    assert (select array_agg(p.id) from postrider.message_page(jsonb_build_object('channel', 'shown', 'workspace_id', v_space)) p) = array[v_id];

    assert (select count(*) from postrider.message_page('{"channel": "shown"}')) = 2;
    assert (select count(*) from postrider.message_page('{"channel": "shown"}') p
            cross join lateral postrider.message_page('{"channel": "shown"}', 10, p.xid, p.seq) q) = 1, 'pages follow each other';
    assert not exists (select from postrider.message_page(jsonb_build_object('channel', 'shown', 'until', now() - interval '1 hour')));
    perform promise.raises($q$select postrider.message_page('{"colour": "red"}')$q$, 'PR001');
    perform promise.raises($q$select postrider.message_page('{"since": "soon"}')$q$, 'PR001');
    perform promise.raises($q$select postrider.message_page('{"id": "7"}')$q$, 'PR001');

    -- Numbers in a text do not make another group.
    perform postrider.publish('a.b', p_channel => 'shown');
    commit;
    call promise.die(w, 'terminal', 'no 2');
    select * into strict g from postrider.dead_groups();
    assert (g.handler, g.count, g.sample_error, cardinality(g.buckets)) = ('a.x', 3, 'no 2', 24), g;
    assert (select sum(b) from unnest(g.buckets) b) = 3, g;
    assert (select count from postrider.dead_groups(p_workspace => v_space)) = 1;
    assert not exists (select from postrider.dead_groups(p_consumer => 'absent'));
    assert not exists (select from postrider.dead_groups(p_skip => 1));
    assert (select failed from postrider.consumers where channel = 'shown') = 3;
    assert (select failed from postrider.handlers where channel = 'shown') = 3;
end
$$;

-- figures
do $$
declare
    w uuid := promise.worker('seen', '[{"name": "a.x", "event_types": ["a.*"]}]');
    f jsonb;
    v_before jsonb;
    l postrider.lease;
begin
    perform postrider.publish('a.b', p_channel => 'seen') from generate_series(1, 5);
    perform postrider.publish('c.d', p_channel => 'seen');
    commit;
    f := (select c from jsonb_array_elements(postrider.figures() #> '{figures,consumers}') c where c ->> 'channel' = 'seen');
    assert (f ->> 'backlog', f ->> 'backlog_exact', f ->> 'in_flight') = ('5', 'true', '0'), f;
    assert (f ->> 'oldest_age_s')::float8 > 0, f;
    v_before := postrider.figures() -> 'counters';
    perform postrider.claim(w, 3);
    commit;
    f := (select c from jsonb_array_elements(postrider.figures(v_before) #> '{figures,consumers}') c where c ->> 'channel' = 'seen');
    assert (f ->> 'backlog', f ->> 'in_flight', (f ->> 'delivered_per_s')::float8) = ('2', '3', 0), f;
    l := promise.newest_lease(w);
    assert postrider.settle(w, l.id, l.token) = 'settled';
    commit;
    f := (select c from jsonb_array_elements(postrider.figures(v_before) #> '{figures,consumers}') c where c ->> 'channel' = 'seen');
    assert (f ->> 'in_flight') = '0' and (f ->> 'delivered_per_s')::float8 > 0, f;
    perform postrider.publish('a.b', p_channel => 'seen') from generate_series(1, 3000);
    commit;
    f := (select c from jsonb_array_elements(postrider.figures(v_before) #> '{figures,consumers}') c where c ->> 'channel' = 'seen');
    assert (f ->> 'backlog_exact') = 'false' and (f ->> 'backlog')::int between 3002 and 3200, f;
    assert (postrider.figures(v_before) #>> '{figures,doorbells}') is not null;
end
$$;

-- far behind: the backlog of a consumer that had caught up is the number of its messages since then, regardless of other messages in the log
do $$
declare
    w uuid := promise.worker('far', '[{"name": "a.x", "event_types": ["a.*"]}]');
    v_other uuid := promise.worker('far', '[{"name": "b.x", "event_types": ["b"]}]', 'other');
    v_none uuid := promise.worker('far', '[{"name": "z.x", "event_types": ["z"]}]', 'none');
    v_rare uuid := promise.worker('far', '[{"name": "r.x", "event_types": ["r"]}]', 'rare');
    v_counters jsonb;
    r record;
begin
    commit;
    perform promise.publish('far_elsewhere', 10000) from generate_series(1, 3);
    perform promise.publish('far', 2000, 'a.b');
    commit;
    perform promise.drain(w);
    commit;
    perform promise.drain(w);
    perform promise.drain(v_other);
    perform promise.drain(v_none);
    perform promise.drain(v_rare);
    commit;
    -- one of four is for it, and every second message is another channel's; some numbers were taken long before
    insert into postrider.message (seq, channel, event_type) overriding system value
    select n, 'far', 'b' from generate_series(1, 100) n;
    commit;
    for i in 1..20 loop
        perform postrider.publish_many(jsonb_agg(jsonb_build_object(
            'channel', case n % 2 when 0 then 'far' else 'far_elsewhere' end, 'event_type', case n % 8 when 0 then 'a.b' else 'b' end) order by n))
        from generate_series(1, 400) n;
        commit;
    end loop;
    perform postrider.publish('r', p_channel => 'far');
    commit;
    for r in
        select c ->> 'consumer' as consumer, (c ->> 'backlog')::int as backlog, (c ->> 'backlog_exact')::boolean as exact,
               c ->> 'behind_since' is not null as behind
        from jsonb_array_elements(postrider.figures() #> '{figures,consumers}') c where c ->> 'channel' = 'far'
    loop
        case r.consumer
            when 'reader' then assert r.backlog between 900 and 1100 and not r.exact and r.behind, r;
            when 'other' then assert r.backlog between 2750 and 3350 and not r.exact and r.behind, r;
            when 'none' then assert r.backlog = 0 and r.exact and not r.behind, r;
            when 'rare' then assert r.backlog = 1 and r.exact and r.behind, r;
        end case;
    end loop;
    -- If the first five thousand messages are for other consumers, the estimate is 0.
    perform promise.publish('far', 2000, 'b');
    commit;
    assert (select (c ->> 'backlog', c ->> 'backlog_exact', c ->> 'behind_since') is not distinct from ('0', 'false', null)
            from jsonb_array_elements(postrider.figures() #> '{figures,consumers}') c where c ->> 'channel' = 'far' and c ->> 'consumer' = 'none');
    -- the number of messages that a cursor passes is estimated in the same way
    perform promise.publish('far', 10000, 'b') from generate_series(1, 2);
    commit;
    v_counters := postrider.figures() -> 'counters';
    perform promise.drain(v_other, 10000);
    commit;
    perform promise.drain(v_other);
    select passed into r from postrider.consumer_figures(v_counters -> 'places') where consumer = 'other' and channel = 'far';
    assert r.passed between 18000 and 30000, r;
end
$$;
