-- Promises about the privileges that each role lacks, tested as that role:
--   a producer inserts, cannot read, and cannot forge a position; a worker changes data only through functions and cannot
--   take another worker's leases; a viewer changes nothing; no role can make Postrider's functions run its own code
\ir ../include/promises.sql

-- changes_nothing(table): a role without rights can neither truncate nor change it; a view has its own error.
create function promise.changes_nothing(p_table text) returns void
    language plpgsql
    as $$
declare
    v_view boolean := exists (select from pg_catalog.pg_views v where v.schemaname = 'postrider' and v.viewname = p_table);
begin
    if v_view then
        return;
    end if;
    perform promise.raises(format('delete from postrider.%I', p_table), '42501');
    perform promise.raises(format('truncate postrider.%I', p_table), '42501');
end
$$;

select promise.worker('outside') as worker, promise.worker('outside') as other \gset
select set_config('promise.worker', :'worker', false), set_config('promise.other', :'other', false) \g /dev/null
select promise.publish('outside', 3) \g /dev/null
select postrider.publish('a.late', p_channel => 'outside', p_priority => 1) \g /dev/null
select promise.park(:'worker') \g /dev/null

-- a producer
set role postrider_producer;
do $$
declare
    v_table text;
begin
    foreach v_table in array '{message,message_tail,outbox,delivery,lease,worker,consumer,handler,event_handled,alert}'::text[] loop
        perform promise.raises(format('select count(*) from postrider.%I', v_table), '42501');
        perform promise.changes_nothing(v_table);
    end loop;
    -- a producer cannot read its own messages, not even by RETURNING
    perform promise.raises($q$insert into postrider.message (event_type) values ('a') returning payload$q$, '42501');
    perform promise.raises($q$insert into postrider.message (event_type) values ('a') on conflict do nothing returning seq$q$, '42501');
    -- only the database sets positions
    perform promise.raises($q$insert into postrider.message (event_type, seq) values ('a', 1)$q$, '428C9');
    perform promise.raises($q$insert into postrider.message (event_type, seq) overriding system value values ('a', 1)$q$, '42501');
    perform promise.raises($q$insert into postrider.message (event_type, xid) values ('a', '3')$q$, '42501');
    perform promise.raises($q$insert into postrider.message (event_type, published_at) values ('a', now() - interval '1 day')$q$, '42501');
    perform promise.raises($q$insert into postrider.message_tail (event_type) values ('a')$q$, '42501');
    -- COPY requires the same rights
    assert not exists (select from unnest('{seq,xid,published_at}'::text[]) c
                       where has_column_privilege('postrider.message', c, 'insert'));
    perform promise.raises($q$update postrider.message set payload = '{}'$q$, '42501');
    -- and neither are claims, settlements and actions of operators
    perform promise.raises($q$select postrider.claim(gen_random_uuid())$q$, '42501');
    perform promise.raises($q$select postrider.register_worker(gen_random_uuid(), 'reader', '[]')$q$, '42501');
    perform promise.raises($q$select postrider.handle_once(row('reader', 'a.b', '', 'k'))$q$, '42501');
    perform promise.raises($q$select postrider.reap()$q$, '42501');
    perform promise.raises($q$select postrider.outbox_replay(gen_random_uuid(), null, 'me')$q$, '42501');
    perform promise.raises($q$select postrider.set_retention('outbox', '1 second')$q$, '42501');
    perform promise.raises($q$create function postrider.mine() returns int language sql as 'select 1'$q$, '42501');
end
$$;
-- The view does not accept a position either: it is ignored or rejected, and the message is at the end of the log.
do $$
begin
    insert into postrider.outbox (event_type, channel, seq, published_at) values ('forged', 'outside', 1, '2000-01-01');
exception when others then null;
end
$$;
reset role;
do $$
begin
    assert not exists (select from postrider.message
                       where event_type = 'forged' and (seq = 1 or published_at < clock_timestamp() - interval '1 hour')),
        'a position was forged through the view';
end
$$;

-- a worker: only functions, and only its own leases
set role postrider_worker;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    o uuid := current_setting('promise.other')::uuid;
    v_table text;
    v_lease bigint;
    v_token uuid;
    d record;
    u text;
begin
    foreach v_table in array '{message,outbox,delivery,lease,worker,consumer,handler,event_handled,alert}'::text[] loop
        perform promise.raises(format('select * from postrider.%I', v_table), '42501');
        perform promise.changes_nothing(v_table);
    end loop;
    perform promise.raises($q$select postrider.conclude('[]')$q$, '42501');
    perform promise.raises($q$select postrider.decide(null, now(), 0)$q$, '42501');
    perform promise.raises($q$select postrider.move_cursor(1, null, null, null, null)$q$, '42883');
    perform promise.raises($q$select postrider.outbox_replay(gen_random_uuid(), null, 'me')$q$, '42501');
    assert postrider.delay('{"curve": "fixed", "base_ms": 5000}', 1, 0.5) = interval '5 seconds';
    select lease_id, lease_token into strict v_lease, v_token from postrider.claim(w) limit 1;
    -- the ids of another's lease are easy to guess; its token is not
    foreach u in array array[gen_random_uuid()::text, '00000000-0000-0000-0000-000000000000', w::text] loop
        assert postrider.settle(o, v_lease, u::uuid) = 'lost_lease';
        assert postrider.settle(w, v_lease, u::uuid) = 'lost_lease';
        assert postrider.extend(w, v_lease, u::uuid, '1 hour') = 'lost_lease';
        assert postrider.release(w, v_lease, u::uuid) = 'lost_lease';
    end loop;
    assert postrider.settle(o, v_lease, v_token) = 'lost_lease';
    select * into strict d from postrider.claim_due(w);
    assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'token', gen_random_uuid(), 'outcome', 'delivered')))) = 'lost_lease';
    assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'outcome', 'delivered')))) = 'lost_lease', 'no token is not any token';
    assert (select result from postrider.settle_due(o, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'delivered')))) = 'lost_lease';
    assert postrider.settle(w, v_lease, v_token) = 'settled';
end
$$;
-- A session's changes of the search path affect only that session.
create temp table lease (consumer_id int, id bigint, token uuid);
create function pg_temp.clock_timestamp() returns timestamptz language plpgsql
    as $$ begin raise exception 'code of a session was run by the owner'; end $$;
create function pg_temp.require_worker(uuid) returns int language plpgsql
    as $$ begin raise exception 'code of a session was run by the owner'; end $$;
set search_path = pg_temp, public, pg_catalog;
select postrider.claim(:'worker') \g /dev/null
select postrider.reap(), postrider.maintain() \g /dev/null
reset search_path;
reset role;

-- a viewer reads
set role postrider_viewer;
do $$
declare
    r record;
begin
    for r in select c.relname from pg_catalog.pg_class c
             where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p', 'v')
    loop
        perform promise.changes_nothing(r.relname);
    end loop;
    perform promise.raises($q$insert into postrider.message (event_type) values ('a')$q$, '42501');
    perform promise.raises($q$insert into postrider.outbox (event_type) values ('a')$q$, '42501');
    perform promise.raises($q$select postrider.publish('a')$q$, '42501');
    perform promise.raises($q$select postrider.discard('{}', 'me', 'why')$q$, '42501');
    perform promise.raises($q$select postrider.pause_consumer('reader', true, 'outside')$q$, '42501');
    perform promise.raises($q$select postrider.reap()$q$, '42501');
    perform promise.raises($q$select postrider.maintain()$q$, '42501');
end
$$;
reset role;

-- a user without any role sees nothing
create role stranger;
set role stranger;
do $$
begin
    perform promise.raises($q$select * from postrider.outbox$q$, '42501');
    perform promise.raises($q$select postrider.publish('a')$q$, '42501');
    perform promise.raises($q$select postrider.uuid_v7()$q$, '42501');
end
$$;
reset role;
drop role stranger;
