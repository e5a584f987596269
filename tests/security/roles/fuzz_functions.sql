-- Promises about every function that a role may execute, called with hostile arguments: nulls, huge and malformed values, ids and names
-- of others:
--   none fails with an internal error, or with one that says that SQL was put together wrongly
--   nothing changes that is outside of the role's rights: a producer appends, a viewer changes nothing, an agent proposes, a worker
--   leaves other roles' consumers, the settings and the records alone, an operator leaves its traces in the audit
-- The calls depend on the seed only. Another one: psql -v seed=0.7 -f fuzz_functions.sql
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
\if :{?seed}
\else
    \set seed 0.42
\endif
select set_config('promise.seed', :'seed', false) \g /dev/null
grant all on all functions in schema promise to public;
drop role if exists test_fuzz_producer, test_fuzz_worker, test_fuzz_operator, test_fuzz_viewer, test_fuzz_agent, test_fuzz_pay;
create role test_fuzz_pay login in role postrider_worker, postrider_producer;
create role test_fuzz_producer login in role postrider_producer;
create role test_fuzz_worker login in role postrider_worker;
create role test_fuzz_operator login in role postrider_operator;
create role test_fuzz_viewer login in role postrider_viewer;
create role test_fuzz_agent login in role postrider_agent;

-- a consumer of another role, with something of every kind: a lease, a dead letter, a pending delivery, an effect, a proposal, a schedule,
-- unique keys
set session authorization test_fuzz_pay;
select postrider.register_worker('00000000-0000-0000-0000-00000000aaaa', 'pay', '[{"name": "pay.all", "event_types": ["*"]}]', 'pay',
                                 p_alive_for => '1 day') \g /dev/null
select postrider.handle_once(row('pay', 'pay.all', '', 'k1')) \g /dev/null
select postrider.define_schedule('nightly', '{"cron": "@yearly", "message": {"event_type": "a", "channel": "nightly"}}'),
       postrider.publish_unique('a', 'pay', 'k1', p_channel => 'pay', p_available_at => 'infinity'),
       postrider.publish_unique('a', 'pay', 'k2', 'period', p_period => '1 year', p_channel => 'pay', p_available_at => 'infinity') \g /dev/null
reset session authorization;
select promise.publish('pay', 3) \g /dev/null
call promise.die('00000000-0000-0000-0000-00000000aaaa');
select promise.publish('pay', 3) \g /dev/null
select count(*) from postrider.claim('00000000-0000-0000-0000-00000000aaaa', 2) \g /dev/null
select postrider.replay_propose('{"channel": "pay"}', 'agent', 'please'), postrider.create_token('t', sha256('t'), 'admin', null, null, 'a', 'b'),
       postrider.add_alert_target('hook') \g /dev/null

create table promise.hostile (type text, value text);
insert into promise.hostile values
    ('text', ''''''), ('text', '''pay'''), ('text', '''pay.all'''), ('text', '''outbox_default'''), ('text', '''k1'''),
    ('text', 'repeat(''x'', 300000)'), ('text', $q$E'\';drop table postrider.message;--'$q$), ('text', $q$'%s %I $1 \ " '' *'$q$),
    ('text', '''nightly'''), ('text', '''0 0 29 2 *'''), ('text', '''*/0 99 1-0 FEB 7/9999'''), ('text', '''Europe/Berlin'''),
    ('text', '''serial'''), ('text', '''2000-01-01'''), ('text', '''postrider_owner'''), ('text', 'chr(1) || chr(1114111)'), ('text', '''audit'''),
    ('integer', '0'), ('integer', '-1'), ('integer', '2147483647'), ('integer', '-2147483648'), ('integer', '1'),
    ('bigint', '0'), ('bigint', '1'), ('bigint', '-1'), ('bigint', '9223372036854775807'), ('bigint', '2'),
    ('smallint', '-32768'), ('boolean', 'true'), ('boolean', 'false'),
    ('uuid', '''00000000-0000-0000-0000-00000000aaaa'''), ('uuid', '''ffffffff-ffff-ffff-ffff-ffffffffffff'''),
    ('interval', '''0'''), ('interval', '''-1 day'''), ('interval', '''178000000 years'''), ('interval', '''1 month'''), ('interval', '''1 hour'''),
    ('interval', '''-6000 years 2160001 days'''),
    ('timestamp with time zone', '''infinity'''), ('timestamp with time zone', '''-infinity'''), ('timestamp with time zone', '''4713-01-01 BC'''),
    ('timestamp with time zone', 'now()'),
    ('double precision', '''NaN'''), ('double precision', '''Infinity'''), ('double precision', '-1e308'), ('double precision', '0'),
    ('numeric', '''NaN'''), ('numeric', '1e100'),
    ('jsonb', '''null'''), ('jsonb', '''{}'''), ('jsonb', '''[]'''), ('jsonb', '''[null, 1, "x", [], {}]'''), ('jsonb', '''"x"'''),
    ('jsonb', '''{"channel": "pay"}'''), ('jsonb', '''{"consumer": {"a": [1]}, "limit": "x", "ids": ["x"], "deliveries": [1e40]}'''),
    ('jsonb', '''{"deliveries": [1, 2, 3]}'''), ('jsonb', '''{"failures": 1e400, "open_ms": -1, "base_ms": "NaN"}'''),
    ('jsonb', 'to_jsonb(repeat(''x'', 300000))'), ('jsonb', '(repeat(''['', 1000) || repeat('']'', 1000))::jsonb'),
    ('jsonb', '''[{"name": "pay.all", "event_types": ["none"]}]'''), ('jsonb', '''[{"event_type": "a", "channel": "fuzz", "priority": 99999}]'''),
    ('jsonb', '''[{"delivery": 1, "token": "00000000-0000-0000-0000-00000000aaaa", "outcome": "delivered", "delay_ms": 1e300}]'''),
    ('jsonb', '''{"cron": "* * * * * *", "message": {"event_type": "a", "channel": "fuzz"}, "catch_up": "366 days"}'''),
    ('jsonb', '''{"cron": 1, "message": {"payload": 1}, "jitter": "x", "time_zone": "right/UTC"}'''),
    ('jsonb', '''{"consumer": "pay"}'''), ('jsonb', '''{"unique_key": "k2"}'''),
    ('jsonb', '''[{"delivery": "x", "token": 1, "outcome": null, "seq": 1.5}]'''),
    ('jsonb', '''{"concurrency": 1, "key": "partition_key", "weights": {"k": 1000000}}'''),
    ('jsonb', '''{"rate": {"starts": 1, "period": "-5 years 1820 days", "burst": 1000000}}'''),
    ('json', '''{"id": "1", "event_type": "a", "generation": 1e30, "cycle": 0, "published_at": "infinity"}'''),
    ('json', '''[{"message": {"id": "x"}, "handler": "pay.all", "outcome": "transient", "delay_ms": "NaN"}]'''),
    ('json', '''{}'''), ('json', '''"x"'''), ('bytea', '''\x00'''), ('bytea', 'sha256(''t'')'), ('bytea', 'sha256(''u'')'),
    ('bigint[]', '''{}'''), ('bigint[]', '''{1,2,3,null}'''), ('bigint[]', '''{{1,2},{3,4}}'''), ('bigint[]', '''{9223372036854775807}'''),
    ('text[]', '''{}'''), ('text[]', '''{null,pay.all}'''), ('text[]', '''{{a,b},{c,d}}'''), ('text[]', 'array[repeat(''x'', 10000)]'),
    ('postrider."position"', 'row(null, null, null, null)'), ('postrider."position"', 'row(''1:1:'', ''1:1:'', ''0'', -1)'),
    ('xid8', '''0'''), ('xid8', '''18446744073709551615'''), ('pg_snapshot', '''1:1:''');
grant select on promise.hostile to public;

-- value_of(type): a hostile value of the type, often null.
create function promise.value_of(p_type text) returns text
    language sql volatile
    as $$
    select coalesce((select h.value || '::' || h.type from promise.hostile h where h.type = p_type and random() < 0.85
                     order by random() limit 1), 'null::' || p_type)
    $$;

-- attack(times): calls each function that the session user may execute `times` times. Returns violations.
create function promise.attack(p_times int) returns setof text
    language plpgsql
    as $$
declare
    f record;
    v_call text;
    v_count int := 0;
begin
    perform setseed(current_setting('promise.seed')::float8);
    for f in
        select p.oid, p.proname, p.pronargs, p.pronargdefaults, p.prokind,
               array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a(t, n) order by n) as types
        from pg_proc p
        where p.pronamespace = 'postrider'::regnamespace and has_function_privilege(session_user, p.oid, 'execute')
          and p.prorettype <> 'trigger'::regtype
        order by p.oid::regprocedure::text
    loop
        for i in 1..p_times loop
            v_call := format('select * from postrider.%I(%s)', f.proname, (
                select string_agg(case when i = 1 then 'null::' || t.type else promise.value_of(t.type) end, ', ' order by t.n)
                from unnest(f.types) with ordinality as t(type, n)
                where t.n <= f.pronargs - case when i % 3 = 0 then f.pronargdefaults else 0 end));
            v_count := v_count + 1;
            begin
                execute v_call;
            exception when others then
                if sqlstate ~ '^(XX|42|P0|58|53)' and sqlstate <> '42501' then
                    return next format('%s %s: %s', sqlstate, left(sqlerrm, 200), left(v_call, 600));
                end if;
            end;
        end loop;
    end loop;
    return next format('%s calls', v_count);
end
$$;

-- print(tables): a digest of the rows of each.
create function promise.print(p_queries text[]) returns text[]
    language plpgsql security definer
    as $$
declare
    v_all text[] := '{}';
    v_one text;
    q text;
begin
    foreach q in array p_queries loop
        execute format('select %L || '' '' || coalesce(md5(string_agg(t::text, '''' order by t::text)), '''') from (%s) t', q, q) into v_one;
        v_all := v_all || v_one;
    end loop;
    return v_all;
end
$$;
-- Objects that belong to none of them, and those of the consumer pay.
create function promise.kept(p_role text) returns text[]
    language sql
    as $$
    select promise.print(array[
        'select * from postrider.setting', 'select * from postrider.migration', 'select * from postrider.epoch',
        'select * from postrider.audit where at < ' || quote_literal(current_setting('promise.began'))]
    || case when p_role <> 'operator' then array[
        'select * from postrider.retention_policy', 'select * from postrider.access_token',
        'select * from postrider.consumer_owner where name = ''pay''', 'select * from postrider.event_handled where handler_name like ''pay.%''',
        'select h.* from postrider.handler h join postrider.consumer c on c.id = h.consumer_id where c.name = ''pay''',
        'select id, name, channel, paused, handlers from postrider.consumer where name = ''pay''',
        'select id, consumer_id, handlers, login from postrider.worker where id = ''00000000-0000-0000-0000-00000000aaaa''',
        'select l.id, l.members, l.finished_at from postrider.lease l join postrider.consumer c on c.id = l.consumer_id where c.name = ''pay''',
        'select d.id, d.status, d.deleted_at from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id where c.name = ''pay''',
        'select id, phase, approved_by from postrider.replay where id = 1', 'select * from postrider.schedule where name = ''nightly''',
        'select u.* from postrider.unique_job u join postrider.consumer c on c.id = u.consumer_id where c.name = ''pay'' and u.key in (''k1'', ''k2'')'] end
    || case when p_role in ('viewer', 'agent', 'producer') then array[
        'select * from postrider.consumer', 'select * from postrider.handler', 'select * from postrider.delivery',
        'select * from postrider.alert_target', 'select * from postrider.channel', 'select * from postrider.schedule', 'select id, members from postrider.lease'] end
    || case when p_role in ('viewer', 'producer') then array[
        'select * from postrider.replay', 'select * from postrider.audit'] end
    || case when p_role <> 'producer' then array[
        'select seq, id, payload from postrider.message where source not like ''schedule:%'''] end)
    $$;
select set_config('promise.began', clock_timestamp()::text, false) \g /dev/null

create table promise.found (role text, problem text);
grant insert on promise.found to public;
create table promise.before (role text, state text[]);

insert into promise.before values ('viewer', promise.kept('viewer'));
set session authorization test_fuzz_viewer;
set statement_timeout = '60s';
insert into promise.found select 'viewer', p from promise.attack(25) p;
reset session authorization;
do $$ begin assert (select state from promise.before where role = 'viewer') = promise.kept('viewer'), promise.kept('viewer'); end $$;

insert into promise.before values ('producer', promise.kept('producer'));
set session authorization test_fuzz_producer;
insert into promise.found select 'producer', p from promise.attack(60) p;
reset session authorization;
do $$ begin assert (select state from promise.before where role = 'producer') = promise.kept('producer'), promise.kept('producer'); end $$;

insert into promise.before values ('agent', promise.kept('agent'));
set session authorization test_fuzz_agent;
insert into promise.found select 'agent', p from promise.attack(25) p;
reset session authorization;
do $$ begin assert (select state from promise.before where role = 'agent') = promise.kept('agent'), promise.kept('agent'); end $$;

insert into promise.before values ('worker', promise.kept('worker'));
set session authorization test_fuzz_worker;
insert into promise.found select 'worker', p from promise.attack(40) p;
reset session authorization;
do $$
declare
    v_changed text;
begin
    select string_agg(b.line || ' / ' || n.line, '; ') into v_changed
    from promise.before p, unnest(p.state) with ordinality b(line, n) join unnest(promise.kept('worker')) with ordinality n(line, n) using (n)
    where p.role = 'worker' and b.line <> n.line;
    assert v_changed is null, v_changed;
end
$$;

insert into promise.before values ('operator', promise.kept('operator'));
set session authorization test_fuzz_operator;
insert into promise.found select 'operator', p from promise.attack(40) p;
reset session authorization;
do $$ begin assert (select state from promise.before where role = 'operator') = promise.kept('operator'), promise.kept('operator'); end $$;

select role, problem from promise.found order by 1, 2;
do $$
begin
    assert not exists (select from promise.found where problem !~ '^[0-9]+ calls$'), 'a function fails in a way that it should not';
    -- nothing is left of it outside of the schema either
    assert not exists (select from pg_roles where rolname ~ '^test_fuzz' and rolsuper);
end
$$;
drop owned by test_fuzz_producer, test_fuzz_worker, test_fuzz_operator, test_fuzz_viewer, test_fuzz_agent, test_fuzz_pay;
drop role test_fuzz_producer, test_fuzz_worker, test_fuzz_operator, test_fuzz_viewer, test_fuzz_agent, test_fuzz_pay;
