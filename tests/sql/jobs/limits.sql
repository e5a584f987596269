-- Promises about limits of handlers:
--   concurrency holds for all workers together, by threads or by messages; a dead worker's part is free when it is reaped
--   claims do not check a limit that cannot bind with the current workers
--   per_worker, per_key, rate and key_rate hold for first attempts, messages that waited and due deliveries
--   throttled messages spend no attempt, are pending in outbox, and are handed out when a run ends or the time comes
--   keys take turns, by weight; handlers without a limit do not wait for the others
--   a limit can be changed and removed while messages wait; cancel, seek, retire_handler and remove_consumer handle throttled messages
--   owners of the consumer and operators may set limits, other roles not
--   workers declare limits when they register; one that was set by set_limit() takes precedence
\ir ../include/promises.sql

create function promise.limited(p_channel text, p_limit jsonb, p_threads int default null) returns uuid
    language plpgsql
    as $$
declare
    v_worker uuid := gen_random_uuid();
begin
    perform postrider.register_worker(
        v_worker, 'reader', '[{"name": "test.all", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}}]', p_channel,
        p_threads => p_threads);
    perform postrider.set_limit('reader', 'test.all', p_limit, 'me', 'test', p_channel);
    return v_worker;
end
$$;

-- named('c', 'a1 a2 b1'): publishes messages named a1, a2 and b1 with the keys a, a and b; '-' is none.
create function promise.named(p_channel text, p_names text, p_type text default 'a', p_priority int default 0) returns void
    language sql
    as $$
    select postrider.publish(p_type, jsonb_build_object('n', n), p_channel => p_channel, p_ordering_key => nullif(left(n, 1), '-'),
                             p_priority => p_priority)
    from regexp_split_to_table(p_names, ' ') n
    $$;

-- got(worker): claims, and returns the names handed out, in their order.
create function promise.got(p_worker uuid, p_limit int default 100) returns text
    language sql
    as $$ select coalesce(string_agg(c.payload ->> 'n', ' '), '') from postrider.claim(p_worker, p_limit) c $$;

-- done(worker, outcome): settles the open leases of a worker.
create function promise.done(p_worker uuid, p_outcome text default 'delivered') returns void
    language sql
    as $$
    select postrider.settle(p_worker, l.id, l.token, case when p_outcome <> 'delivered' then '{}'::bigint[] end,
        case when p_outcome <> 'delivered' then
            (select jsonb_agg(jsonb_build_object('seq', s, 'outcome', p_outcome, 'error', 'no')) from unnest(l.members) s) end)
    from postrider.lease l where l.worker_id = p_worker and l.finished_at is null order by l.id
    $$;

-- due(worker): claims due deliveries; returns their names.
create function promise.due(p_worker uuid, p_limit int default 100) returns text
    language sql
    as $$ select coalesce(string_agg(d.payload ->> 'n', ' ' order by d.payload ->> 'n'), '') from postrider.claim_due(p_worker, p_limit) d $$;

create function promise.throttled(p_channel text) returns bigint
    language sql
    as $$ select l.throttled from postrider.limits l where l.channel = p_channel $$;

-- A worker that does not report its threads may run all of its messages.
do $$
declare
    v_one uuid := promise.limited('count', '{"concurrency": 3}');
    v_two uuid := promise.limited('count', '{"concurrency": 3}');
begin
    perform promise.named('count', '-1 -2 -3 -4 -5');
    commit;
    assert promise.got(v_one, 2) = '-1 -2';
    assert promise.got(v_two) = '-3', 'one is left';
    assert promise.got(v_one) = '' and promise.got(v_two) = '';
    assert promise.throttled('count') = 2;
    assert (select array_agg(o.status order by o.seq) from postrider.outbox o where o.channel = 'count')
        = '{in_flight,in_flight,in_flight,pending,pending}';
    assert (select sum(o.attempts) from postrider.outbox o where o.channel = 'count' and o.status = 'pending') = 0;
    assert postrider.next_due(v_two) between clock_timestamp() and clock_timestamp() + interval '100 ms';
    perform promise.done(v_two);
    assert promise.got(v_two) = '-4', 'what ended makes room';
    -- The worker dies: its messages are deliveries, and its part of the limit is free.
    update postrider.worker set alive_until = '-infinity' where id = v_one;
    perform postrider.reap();
    assert promise.got(v_two) = '-5';
    assert promise.due(v_two) = '-1', 'and a retry counts too';
    assert promise.due(v_two) = '';
    assert postrider.next_due(v_two) > clock_timestamp(), 'so that workers do not ask in vain';
    perform promise.done(v_two);
    assert promise.due(v_two) = '-2';
    assert (select count(*) from postrider.outbox o where o.channel = 'count' and o.status = 'delivered') = 3;
end
$$;

-- A worker that reports its threads has no more runs than threads, and may hold more messages.
do $$
declare
    v_one uuid := promise.limited('threads', '{"concurrency": 5}', 4);
    v_two uuid;
begin
    assert (select not l.binds from postrider.limits l where l.channel = 'threads');
    perform promise.named('threads', '-1 -2 -3 -4 -5 -6 -7 -8');
    commit;
    assert promise.got(v_one, 6) = '-1 -2 -3 -4 -5 -6', 'it cannot run more than four of them';
    assert (select '' <> all (c.handlers) from postrider.consumer c where c.channel = 'threads'), 'and claims are as fast as without a limit';
    v_two := promise.limited('threads', '{"concurrency": 5}', 4);
    assert (select l.binds from postrider.limits l where l.channel = 'threads');
    assert promise.got(v_two) = '-7', 'four of five are taken, although no message was counted for it';
    assert promise.got(v_two) = '';
    assert promise.got(v_one) = '-8', 'the first one has room for all of its threads';
    assert (select l.running from postrider.limits l where l.channel = 'threads') = 5;
    perform promise.done(v_one), promise.done(v_two);
    perform postrider.unregister_worker(v_two);
    assert (select not l.binds from postrider.limits l where l.channel = 'threads');
end
$$;

do $$
declare
    v_one uuid := promise.limited('worker', '{"per_worker": 2}', 8);
    v_two uuid := promise.limited('worker', '{"per_worker": 2}', 8);
begin
    perform promise.named('worker', '-1 -2 -3 -4 -5');
    commit;
    assert promise.got(v_one) = '-1 -2' and promise.got(v_two) = '-3 -4' and promise.got(v_one) = '';
end
$$;

-- Per key, in turns; a retry counts for its key as well.
do $$
declare
    v_worker uuid := promise.limited('key', '{"key": "ordering_key", "per_key": 2, "weights": {"b": 2}}');
begin
    perform promise.named('key', 'a1 a2 a3 a4 b1 b2 b3 -1 -2 -3');
    commit;
    assert promise.got(v_worker) = '-1 a1 b1 b2 -2 a2 -3', 'those without a key have no limit';
    assert (select array_agg(format('%s %s', k ->> 'key', k ->> 'throttled')) from postrider.limits l, jsonb_array_elements(l.keys) k
            where l.channel = 'key') = '{a 2,b 1}', 'the keys with most of them come first';
    assert promise.got(v_worker) = '';
    perform promise.done(v_worker, 'transient');
    assert promise.got(v_worker) = 'a3 b3 a4';
    assert promise.due(v_worker) = '-1 -2 -3 b1', 'one more b, and no a';
    assert (select min(d.attempts) = 1 and count(*) = 3 from postrider.delivery d where d.channel = 'key' and d.status = 'pending'), 'the others wait';
    perform promise.done(v_worker);
    update postrider.delivery set available_at = clock_timestamp() where channel = 'key' and status = 'pending';
    assert promise.due(v_worker) = 'a1 a2 b2';
end
$$;

-- Rates.
do $$
declare
    v_worker uuid := promise.limited('rate', '{"rate": {"starts": 10, "period": "1 hour", "burst": 3}}', 8);
begin
    perform promise.named('rate', '-1 -2 -3 -4 -5');
    commit;
    assert promise.got(v_worker) = '-1 -2 -3';
    perform promise.done(v_worker, 'transient');
    assert promise.got(v_worker) = '' and promise.due(v_worker) = '';
    assert postrider.next_due(v_worker) > clock_timestamp();
    update postrider.limit_bucket set paid_at = paid_at - interval '6 minutes' where key = 'test.all';
    assert promise.got(v_worker) = '-4';
    assert promise.got(v_worker) = '' and promise.due(v_worker) = '';
    update postrider.limit_bucket set paid_at = paid_at - interval '12 minutes' where key = 'test.all';
    assert promise.due(v_worker, 1) = '-1';
    assert promise.got(v_worker) = '-5';
    assert (select min(attempts) = 1 and max(attempts) = 2 from postrider.delivery where channel = 'rate'), 'nothing was spent by waiting';
    -- The clock is set back.
    update postrider.limit_bucket set paid_at = clock_timestamp() + interval '1 year' where key = 'test.all';
    assert promise.due(v_worker) = '-2 -3';
    assert (select max(paid_at) < clock_timestamp() + interval '1 day' from postrider.limit_bucket where key = 'test.all');
end
$$;

do $$
declare
    v_worker uuid := promise.limited('key_rate', '{"key": "workspace_id", "key_rate": {"starts": 2, "period": "1 hour"}}');
    v_a constant uuid := gen_random_uuid();
begin
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'key_rate', p_workspace_id => case when n < 5 then v_a else gen_random_uuid() end)
    from generate_series(1, 6) n;
    commit;
    assert (select array_agg(n order by n) from regexp_split_to_table(promise.got(v_worker), ' ') n) = '{1,2,5,6}';
    perform promise.done(v_worker);
    assert promise.got(v_worker) = '';
    assert (select count(*) from postrider.limit_bucket b where b.key like 'test.all %') = 3;
end
$$;

-- Of a consumer with several handlers, only messages of the limited handler wait. A message for several handlers waits for each separately.
do $$
declare
    v_worker uuid := promise.worker('several', '[{"name": "test.slow", "event_types": ["slow", "both"]}, {"name": "test.fast", "event_types": ["fast", "both"]}]');
begin
    perform postrider.set_limit('reader', 'test.slow', '{"concurrency": 1}', 'me', 'test', 'several');
    perform promise.named('several', 's1 s2 s3', 'slow');
    perform promise.named('several', 'f1 f2 f3', 'fast');
    commit;
    assert promise.got(v_worker) = 'f1 f2 f3';
    assert promise.got(v_worker) = 's1';
    perform promise.named('several', 'b1', 'both');
    perform promise.named('several', 'p1', 'slow', 100);
    commit;
    assert promise.got(v_worker) = '';
    assert promise.due(v_worker) = 'b1';
    assert (select handler from postrider.delivery where channel = 'several' and status = 'in_flight') = 'test.fast';
    perform promise.done(v_worker);
    assert promise.got(v_worker) = 'p1', 'a priority counts among those of its key';
    -- The fast handler fails, and a circuit is held: the limit is not affected.
    perform postrider.hold_handler('reader', 'test.fast', 'me', 'test', 'several');
    perform promise.done(v_worker);
    assert promise.got(v_worker) = 's2';
    perform postrider.hold_handler('reader', 'test.slow', 'me', 'test', 'several');
    perform promise.done(v_worker);
    assert promise.got(v_worker) = '';
end
$$;

-- Changes.
do $$
declare
    v_worker uuid := promise.limited('change', '{"concurrency": 1}');
begin
    perform promise.named('change', 'a1 a2 a3 b1 b2 b3 c1 c2');
    commit;
    assert promise.got(v_worker) = 'a1';
    assert postrider.set_limit('reader', 'test.all', '{"concurrency": 2}', 'me', 'test', 'change') = 'changed';
    assert promise.got(v_worker) = 'a2';
    assert postrider.set_limit('reader', 'test.all', '{"concurrency": 2}', 'me', 'test', 'change') = 'unchanged';
    assert postrider.set_limit('reader', 'test.all', '{"key": "ordering_key", "per_key": 1}', 'me', 'test', 'change') = 'changed';
    assert promise.got(v_worker) = 'a3 b1 c1', 'leases from before know no keys';
    assert (select count(*) from postrider.cancel(jsonb_build_object('ids', array(
                select m.id from postrider.message m where m.channel = 'change' and m.payload ->> 'n' = 'b2')), 'me', 'test')) = 1;
    perform postrider.remove_limit('reader', 'test.all', 'me', 'test', 'change');
    assert promise.got(v_worker) = 'b3 c2';
    perform promise.done(v_worker);
    perform postrider.reap();
    assert (select not c.limited and '' <> all (c.handlers) from postrider.consumer c where c.channel = 'change'), 'nothing is left of it';
    assert (select count(*) from postrider.outbox o where o.channel = 'change' and o.status = 'delivered') = 7;
    assert (select count(*) from postrider.audit a where a.action in ('set_limit', 'remove_limit') and a.filter ->> 'channel' = 'change') = 4;
    perform promise.raises('select postrider.remove_limit(''reader'', ''test.all'', ''me'', ''test'', ''change'')', 'PR014');
end
$$;

do $$
declare
    v_worker uuid := promise.limited('gone', '{"concurrency": 1}');
begin
    perform promise.named('gone', '-1 -2 -3');
    commit;
    assert promise.got(v_worker) = '-1';
    perform postrider.retire_handler('reader', 'test.all', 'gone');
    perform postrider.register_worker(v_worker, 'reader', '[{"name": "test.new", "event_types": ["*"]}]', 'gone');
    assert promise.got(v_worker) = '-2 -3', 'throttled messages are for the handlers of today';
    perform promise.done(v_worker);
    perform postrider.set_limit('reader', 'test.new', '{"concurrency": 1}', 'me', 'test', 'gone');
    perform promise.named('gone', '-4 -5');
    commit;
    assert promise.got(v_worker) = '-4';
    perform postrider.seek_consumer('reader', clock_timestamp(), 'me', 'test', 'gone');
    assert promise.throttled('gone') = 0;
    perform promise.named('gone', '-6');
    commit;
    assert promise.got(v_worker) = '';
    perform postrider.unregister_worker(v_worker);
    perform postrider.remove_consumer('reader', 'me', 'test', 'gone', true);
    assert not exists (select from postrider.limits where channel = 'gone');
end
$$;

-- Rejected definitions.
do $$
declare
    v_worker uuid := promise.worker('refuse');
    v_limit text;
begin
    foreach v_limit in array '{"{}","[]","null","{\"concurency\": 1}","{\"concurrency\": 0}","{\"concurrency\": \"2\"}","{\"concurrency\": 1.5}","{\"per_key\": 1}","{\"key\": \"payload\"}","{\"key\": \"source\", \"weights\": {\"a\": 0}}","{\"rate\": {\"starts\": 1}}","{\"rate\": {\"starts\": 1, \"period\": \"soon\"}}","{\"rate\": 5}"}'::text[] loop
        perform promise.raises(format('select postrider.set_limit(''reader'', ''test.all'', %L, ''me'', ''test'', ''refuse'')', v_limit), 'PR001');
    end loop;
    perform promise.raises('select postrider.set_limit(''reader'', ''test.all'', ''{"concurrency": 1}'', ''me'', ''test'', ''nowhere'')', 'PR003');
    perform promise.raises('select postrider.set_limit(''reader'', ''test.none'', ''{"concurrency": 1}'', ''me'', ''test'', ''refuse'')', 'PR011');
    perform promise.raises('select postrider.set_limit(''reader'', ''test.all'', ''{"concurrency": 1}'', ''me'', '''', ''refuse'')', 'PR001');
    perform postrider.set_limit('reader', 'test.all', '{"concurrency": 1}', 'me', 'test', 'refuse');
    perform promise.raises('select postrider.create_consumer(''reader'', ''refuse'', p_ordering => ''hold'')', 'PR012');
    perform promise.raises('select postrider.register_worker(gen_random_uuid(), ''reader'', ''[{"name": "test.all", "event_types": ["*"]}]'', ''refuse'', p_threads => 0)', 'PR001');
    perform postrider.create_consumer('in_order', 'refuse', p_ordering => 'hold');
    perform postrider.register_worker(v_worker, 'in_order', '[{"name": "test.all", "event_types": ["*"]}]', 'refuse');
    perform promise.raises('select postrider.set_limit(''in_order'', ''test.all'', ''{"concurrency": 1}'', ''me'', ''test'', ''refuse'')', 'PR012');
end
$$;

-- declared limits
create function promise.declares(p_channel text, p_more text) returns uuid
    language plpgsql
    as $$
declare
    v_worker uuid := gen_random_uuid();
begin
    perform postrider.register_worker(
        v_worker, 'reader', jsonb_build_array(jsonb_build_object('name', 'test.all', 'event_types', array['*']) || p_more::jsonb), p_channel);
    return v_worker;
end
$$;
do $$
declare
    w uuid := promise.declares('declared', '{"limit": {"concurrency": 1, "rate": {"starts": 5, "period": "1 hour"}}}');
begin
    assert (select definition || jsonb_build_object('declared', declared) from postrider.limits where channel = 'declared')
        = '{"concurrency": 1, "rate": {"starts": 5, "period": "01:00:00", "burst": 5}, "declared": true}';
    perform promise.named('declared', '-1 -2');
    commit;
    assert promise.got(w) = '-1' and promise.got(w) = '', 'it holds from the first claim on';
    perform promise.declares('declared', '{"limit": {"concurrency": 1, "rate": {"starts": 5, "period": "1 hour"}}}');
    perform promise.declares('declared', '{}');
    assert (select count(*) from postrider.audits where filter @> '{"channel": "declared", "handler": "test.all"}' and action = 'set_limit') = 1;
    perform promise.declares('declared', '{"limit": {"concurrency": 2}}');
    assert (select definition from postrider.limits where channel = 'declared') = '{"concurrency": 2}', 'the next version of the program';
    assert promise.got(w) = '-2';
    -- The limit of an operator stays, regardless of the limits that workers declare.
    perform postrider.set_limit('reader', 'test.all', '{"concurrency": 7}', 'me', 'test', 'declared');
    perform promise.declares('declared', '{"limit": {"concurrency": 3}}');
    perform promise.declares('declared', '{"limit": null}');
    assert (select definition || jsonb_build_object('declared', declared) from postrider.limits where channel = 'declared')
        = '{"concurrency": 7, "declared": false}';
    perform postrider.remove_limit('reader', 'test.all', 'me', 'test', 'declared');
    perform promise.declares('declared', '{"limit": {"concurrency": 3}}');
    assert (select definition from postrider.limits where channel = 'declared') = '{"concurrency": 3}';
    perform promise.declares('declared', '{"limit": null}');
    assert not exists (select from postrider.limits where channel = 'declared');
    commit;
end
$$;
select promise.raises($$ select promise.declares('declared', '{"limit": {}}') $$, 'PR001') \g /dev/null
select promise.raises($$ select promise.declares('declared', '{"limit": {"concurrency": 0}}') $$, 'PR001') \g /dev/null
select promise.raises($$ select postrider.register_worker(gen_random_uuid(), 'in_order',
    '[{"name": "test.all", "event_types": ["*"], "limit": {"concurrency": 1}}]', 'refuse') $$, 'PR012') \g /dev/null

-- roles
drop role if exists promise_mine, promise_other, promise_boss, promise_looker;
create role promise_mine login in role postrider_worker;
create role promise_other login in role postrider_worker;
create role promise_boss login in role postrider_operator;
create role promise_looker login in role postrider_viewer;
grant execute on all functions in schema promise to public;
set session authorization promise_mine;
do $$ begin
    perform postrider.register_worker(gen_random_uuid(), 'mine', '[{"name": "test.all", "event_types": ["*"]}]', 'roles');
    assert postrider.set_limit('mine', 'test.all', '{"concurrency": 1}', p_channel => 'roles') = 'created';
end $$;
select promise.raises('select * from postrider.handler_limit', '42501');
set session authorization promise_other;
select promise.raises('select postrider.set_limit(''mine'', ''test.all'', ''{"concurrency": 2}'', p_channel => ''roles'')', 'PR010');
select promise.raises('select postrider.remove_limit(''mine'', ''test.all'', p_channel => ''roles'')', 'PR010');
set session authorization promise_looker;
do $$ begin assert (select set_by from postrider.limits where channel = 'roles') = 'promise_mine'; end $$;
select promise.raises('select postrider.set_limit(''mine'', ''test.all'', ''{"concurrency": 2}'', p_channel => ''roles'')', '42501');
set session authorization promise_boss;
do $$ begin
    assert postrider.set_limit('mine', 'test.all', '{"concurrency": 2}', 'boss', 'more', 'roles') = 'changed';
    perform postrider.remove_limit('mine', 'test.all', 'boss', 'no more', 'roles');
end $$;
reset session authorization;
drop role promise_other, promise_boss, promise_looker;

-- the effect of a limit, before it is set: it changes nothing and is not audited
do $$
declare
    v_one uuid := gen_random_uuid();
    v_audits bigint;
    p record;
begin
    perform postrider.register_worker(v_one, 'seen', '[{"name": "a.x", "event_types": ["*"]}]', 'seen', p_threads => 4);
    perform postrider.publish('a', p_channel => 'seen') from generate_series(1, 3);
    commit;
    v_audits := (select count(*) from postrider.audits);
    p := postrider.limit_preview('seen', 'a.x', '{"concurrency": 10}', 'seen');
    assert not exists (select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory' and classid = postrider.lock_claims()), 'claims go on';
    assert (p.result, p.before is null, p.declared, p.binds, p.workers, p.threads, p.held, p.throttled)
         = ('created', true, false, false, 1::bigint, 4::bigint, 0::bigint, 0::bigint), p;
    assert (select l.binds from postrider.limit_preview('seen', 'a.x', '{"concurrency": 3}', 'seen') l), 'fewer than threads';
    assert (select l.binds from postrider.limit_preview('seen', 'a.x', '{"rate": {"starts": 9, "period": "1 s"}}', 'seen') l);
    assert not exists (select from postrider.limits where channel = 'seen') and (select count(*) from postrider.audits) = v_audits;
    perform promise.raises($q$select postrider.limit_preview('seen', 'a.x', null, 'seen')$q$, 'PR014');
    perform promise.raises($q$select postrider.limit_preview('seen', 'a.y', '{"concurrency": 3}', 'seen')$q$, 'PR011');
    perform promise.raises($q$select postrider.limit_preview('none', 'a.x', '{"concurrency": 3}', 'seen')$q$, 'PR003');
    perform promise.raises($q$select postrider.limit_preview('seen', 'a.x', '{"concurrency": 0}', 'seen')$q$, 'PR001');
    perform postrider.set_limit('seen', 'a.x', '{"concurrency": 1}', 'test', 'test', 'seen');
    commit;
    assert (select count(*) from postrider.claim(v_one, 10)) = 1;
    commit;
    p := postrider.limit_preview('seen', 'a.x', null, 'seen');
    assert (p.result, p.before, p.binds, p.held, p.throttled) = ('removed', '{"concurrency": 1}'::jsonb, false, 1::bigint, 2::bigint), p;
    assert (select l.result from postrider.limit_preview('seen', 'a.x', '{"concurrency": 1}', 'seen') l) = 'unchanged';
    assert (select l.result from postrider.limit_preview('seen', 'a.x', '{"concurrency": 2}', 'seen') l) = 'changed';
end
$$;

-- A thousand keys: each gets its turn, regardless of the others. Last, because later reads of the outbox would read its 6,000 messages.
do $$
declare
    v_worker uuid := promise.limited('turns', '{"key": "ordering_key"}');
begin
    insert into postrider.message (channel, event_type, source, payload, ordering_key)
    select 'turns', 'a', '', json_build_object('n', k || ':' || n), 'k' || k from generate_series(1, 1000) k, generate_series(1, 3) n;
    insert into postrider.message (channel, event_type, source, payload, ordering_key)
    select 'turns', 'a', '', json_build_object('n', 'big'), 'big' from generate_series(1, 3000);
    commit;
    while exists (select from postrider.consumers c where c.channel = 'turns' and c.behind_since is not null) loop
        perform postrider.exchange_packed(v_worker, 100);
    end loop;
    create temp table turn as select 0 as round, '' as n;
    for i in 1..25 loop
        insert into turn select i, c.payload ->> 'n' from postrider.claim(v_worker, 100) c;
        commit;
    end loop;
    assert (select count(*) filter (where n like '%:1') = 1000 and count(*) filter (where n like '%:2') = 1000
            from turn where round <= 22), (select 'firsts ' || count(*) filter (where n like '%:1') || ', seconds ' || count(*) filter (where n like '%:2') from turn where round <= 22);
end
$$;
