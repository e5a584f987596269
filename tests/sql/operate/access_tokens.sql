-- Promises about access tokens: role, workspace and expiry limit access to the operator's surface:
--   each token has its own role, workspace and expiry; only the named token is revoked
--   an expired token frees its name and keeps the time of its end; no other token ends with it
--   the audit has the rights of a token and never its hash
--   a token of one workspace reads no data of another one by any function; only dead letters can be read by their delivery
--   a document that jsonb cannot represent is shown as a string
\ir ../include/promises.sql
\ir ../include/dead.sql

-- tokens
do $$
declare
    v_space constant uuid := gen_random_uuid();
    v_end constant timestamptz := clock_timestamp() + interval '1 hour';
    t record;
    v_audit postrider.audit;
begin
    perform postrider.create_token('ann', sha256('a'), 'operator', v_space, v_end, 'bob', 'on call');
    select * into v_audit from postrider.audit order by id desc limit 1;
    assert (v_audit.action, v_audit.actor, v_audit.reason, v_audit.filter)
         = ('create_token', 'bob', 'on call', '{"token": "ann"}'), v_audit;
    assert v_audit.after = jsonb_build_object('role', 'operator', 'workspace_id', v_space, 'expires_at', v_end), v_audit;
    select * into strict t from postrider.find_token(sha256('a'));
    assert (t.name, t.role, t.workspace_id, t.expires_at) = ('ann', 'operator', v_space, v_end), t;
    assert (select created_by from postrider.access_token where name = 'ann') = 'bob';

    perform postrider.create_token('carl', sha256('c'), 'viewer', null, v_end, 'bob', 'curious');
    perform postrider.create_token('dora', sha256('d'), 'admin', null, null, 'bob', 'in charge');
    update postrider.access_token set expires_at = '2020-01-01' where name in ('ann', 'carl');
    perform postrider.create_token('ann', sha256('a2'), 'viewer', null, v_end, 'bob', 'back');
    assert (select array_agg(concat_ws(' ', name, extract(year from expires_at), revoked_at = expires_at) order by id)
            from postrider.access_token) = array['ann 2020 t', 'carl 2020', 'dora', 'ann ' || extract(year from v_end)];
    -- A second token of the same name does not end a valid one.
    perform promise.raises($q$select postrider.create_token('ann', sha256('x'), 'viewer', null, null, 'x', 'y')$q$, 'PR012');
    perform promise.raises($q$select postrider.create_token('dora', sha256('x'), 'admin', null, null, 'x', 'y')$q$, 'PR012');
    perform postrider.revoke_token('ann', 'bob', 'left');
    select * into v_audit from postrider.audit order by id desc limit 1;
    assert (v_audit.action, v_audit.filter) = ('revoke_token', '{"token": "ann"}');
    assert not exists (select from postrider.find_token(sha256('a2')));
    assert exists (select from postrider.find_token(sha256('d')));
    -- The old row does not change when its name is used again.
    update postrider.access_token set revoked_at = '2020-01-02' where sha256 = sha256('a');
    perform postrider.create_token('ann', sha256('a4'), 'viewer', null, null, 'bob', 'back');
    assert (select revoked_at = '2020-01-02' from postrider.access_token where sha256 = sha256('a'));

    for t in select * from (values ('eve', 'root', 'e'), ('eve', null, 'e'), (null, 'viewer', 'e'), ('-eve', 'viewer', 'e'),
                                   (repeat('e', 128), 'viewer', 'e'), ('eve', 'viewer', null)) v(name, role, secret) loop
        perform promise.raises(format('select postrider.create_token(%L, sha256(%L), %L, null, null, ''x'', ''y'')',
                                      t.name, t.secret, t.role), 'PR001');
    end loop;
    perform postrider.create_token(repeat('e', 127), sha256('e'), 'viewer', null, null, 'x', 'y');
end
$$;

-- payloads
do $$
declare
    w uuid := promise.worker('spaces');
    v_space constant uuid := gen_random_uuid();
    v_other constant uuid := gen_random_uuid();
    v_id uuid := postrider.publish('a', '{"n": 1}', p_channel => 'spaces', p_workspace_id => v_space);
    v_waits uuid := postrider.publish('a', '{"n": 2}', p_channel => 'spaces', p_workspace_id => v_space, p_priority => 1);
    v_none uuid := postrider.publish('a', '{"n": 3}', p_channel => 'spaces');
    v_dead bigint;
    v_pending bigint;
    v_odd uuid;
    v_call constant text := 'select postrider.reveal(%L, %L, %L, ''ann'', ''x'')';
begin
    commit;
    call promise.die(w);
    perform promise.park(w);
    select d.id into strict v_dead from postrider.delivery d where message_id = v_id;
    select d.id into strict v_pending from postrider.delivery d where message_id = v_waits;
    perform promise.raises(format(v_call, null, v_dead, v_other), 'PR014');
    perform promise.raises(format(v_call, null, v_pending, v_space), 'PR014');
    perform promise.raises(format(v_call, v_id, null, v_other), 'PR014');
    perform promise.raises(format(v_call, v_none, null, v_space), 'PR014');
    assert not exists (select from postrider.audits where action = 'reveal'), 'nothing was shown';
    assert postrider.reveal(v_id, null, v_space, 'ann', 'x') -> 'payload' = '{"n": 1}';
    assert (select filter from postrider.audit order by id desc limit 1)
         = jsonb_build_object('ids', jsonb_build_array(v_id));
    assert postrider.reveal(v_id, v_dead, v_space, 'ann', 'x') -> 'payload' = '{"n": 1}';
    assert (select filter from postrider.audit order by id desc limit 1)
         = jsonb_build_object('deliveries', jsonb_build_array(v_dead));
    assert postrider.reveal(v_none, null, null, 'ann', 'x') -> 'payload' = '{"n": 3}';
    insert into postrider.message (id, event_type, channel, payload, headers)
    values (gen_random_uuid(), 'a', 'odd', '{"n": "\u0000"}', '{"h": "\u0000"}') returning id into v_odd;
    assert postrider.reveal(v_odd, null, null, 'ann', 'x')
         = jsonb_build_object('payload', '{"n": "\u0000"}'::text, 'headers', '{"h": "\u0000"}'::text, 'metadata', null);
    -- The message is removed from the log before the dead letter.
    delete from postrider.message where channel = 'spaces';
    assert postrider.reveal(v_id, null, null, 'ann', 'x') -> 'payload' = '{"n": 1}';
    assert postrider.reveal(v_id, null, v_space, 'ann', 'x') -> 'payload' = '{"n": 1}';
    perform promise.raises(format(v_call, v_id, null, v_other), 'PR014');
end
$$;
