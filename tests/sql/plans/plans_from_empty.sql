-- Promise: a session whose plans were made when every table was empty still works when they are full. Operations on a
-- few messages touch few buffers, whatever the number of messages that wait, are in flight or are dead.
-- Workers keep their sessions, and with them their plans, from the first message on.
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

create table promise.cost (what text, buffers bigint);

-- note(what, sql): records the buffers of the statement.
create procedure promise.note(p_label text, p_sql text)
    language plpgsql
    as $$
begin
    insert into promise.cost values (p_label, promise.buffers(p_sql));
    commit;
end
$$;

-- Claims by the program's own function, whose settings stay in the session.
create procedure promise.claim_packed(p_worker uuid, p_label text, p_failures text default null)
    language plpgsql
    as $$
declare
    l postrider.lease := promise.newest_lease(p_worker);
    v_mine boolean := l.worker_id is not distinct from p_worker and l.finished_at is null;
    v_failures jsonb := (
        select jsonb_agg(jsonb_build_object('seq', m, 'outcome', 'transient', 'error', 'broken', 'error_class', 'x')
                         || case when p_failures = 'named' then '{"handler": "test.all"}' else '{}' end::jsonb)
        from unnest(l.members[1:5]) m where p_failures is not null and v_mine);
begin
    call promise.note(p_label, format(
        'select postrider.exchange_packed(%L, 100, %L, %L, null, %L)', p_worker, case when v_mine then l.id end,
        case when v_mine then l.token end, v_failures));
end
$$;

-- Everything that happens to messages and deliveries, with a few of them.
create procedure promise.live(p_worker uuid)
    language plpgsql
    as $$
declare
    w uuid := p_worker;
    v_other uuid;
    l postrider.lease;
    v_due jsonb;
    v_ids bigint[];
    v_event uuid;
    v_replay bigint;
begin
    insert into postrider.message (channel, event_type, priority) select 'life', 'x', 1 from generate_series(1, 5);
    commit;
    call promise.claim_packed(w, 'park');
    perform promise.publish('life', 20);
    commit;
    call promise.claim_packed(w, 'claim');
    call promise.claim_packed(w, 'settle failures of named handlers', 'named');
    perform promise.publish('life', 20);
    commit;
    call promise.claim_packed(w, 'claim again');
    call promise.claim_packed(w, 'settle failures of all handlers', 'all');

    perform promise.publish('life', 5);
    commit;
    v_other := promise.worker('life');
    perform postrider.claim(v_other, 5);
    update postrider.worker set alive_until = clock_timestamp() - interval '1 hour' where id = v_other;
    commit;
    call promise.note('reap', 'select * from postrider.reap()');

    update postrider.delivery set crashes = 0 where crashes > 0 and status = 'pending';
    perform promise.publish('life', 5);
    commit;
    perform postrider.claim(w, 5);
    l := promise.newest_lease(w);
    commit;
    call promise.note('release', format('select postrider.release(%L, %s, %L)', w, l.id, l.token));
    update postrider.delivery set available_at = clock_timestamp() - interval '1 day'
    where id in (select id from postrider.delivery where status = 'pending' and event_type <> 'many' limit 15);
    commit;

    call promise.note('next due', format('select postrider.next_due(%L)', w));
    call promise.note('claim due', format('select * from postrider.claim_due(%L, 5)', w));
    select array_agg(id), jsonb_agg(jsonb_build_object('delivery', id, 'token', lease_token, 'outcome', 'delivered'))
    into v_ids, v_due from postrider.delivery where worker_id = w and status = 'in_flight';
    call promise.note('settle due, delivered', format('select * from postrider.settle_due(%L, %L)', w, v_due));
    perform postrider.claim_due(w, 5);
    select jsonb_agg(jsonb_build_object('delivery', id, 'token', lease_token, 'outcome', 'transient', 'error', 'broken'))
    into v_due from postrider.delivery where worker_id = w and status = 'in_flight';
    commit;
    call promise.note('settle due, failed', format('select * from postrider.settle_due(%L, %L)', w, v_due));
    perform postrider.claim_due(w, 5);
    select array_agg(id), (array_agg(message_id))[1],
           jsonb_agg(jsonb_build_object('delivery', id, 'token', lease_token, 'outcome', 'terminal', 'error', 'broken'))
    into v_ids, v_event, v_due from postrider.delivery where worker_id = w and status = 'in_flight';
    commit;
    call promise.note('settle due, dead', format('select * from postrider.settle_due(%L, %L)', w, v_due));
    call promise.note('claim alerts', 'select * from postrider.claim_alerts(''ops'', 5)');
    select jsonb_agg(jsonb_build_object('alert', alert_id, 'token', token, 'outcome', 'sent')) into v_due
    from postrider.alert_sending where target = 'ops' and token is not null;
    call promise.note('settle alerts', format('select postrider.settle_alerts(''ops'', %L)', v_due));
    perform postrider.discard(jsonb_build_object('deliveries', to_jsonb(v_ids)), 'ada', 'no');
    commit;
    call promise.note('undo', format('select postrider.restore(%L, ''ada'', ''yes'')',
                                     jsonb_build_object('deliveries', to_jsonb(v_ids))));
    call promise.note('replay one', format('select postrider.outbox_replay(%L, null, ''ada'')', v_event));
    v_replay := postrider.replay_start(jsonb_build_object('deliveries', to_jsonb(v_ids)), 'ada', 'repaired');
    commit;
    call promise.note('step a replay', 'select * from postrider.replay_step(5)');
    call promise.note('status of a replay', format('select * from postrider.replay_status(%s)', v_replay));
    v_ids := array(select id from postrider.delivery where status = 'pending' and event_type <> 'many' limit 2);
    call promise.note('bury', format('select postrider.bury(%L, ''ada'', ''no'')', v_ids));
    call promise.note('retention of leases', 'select postrider.retention_leases(1000, false)');
    call promise.note('heartbeat', format('select postrider.heartbeat(%L, ''{1,2}'')', w));
    call promise.note('resume', format('select * from postrider.resume_worker(%L)', w));
end
$$;

select postrider.add_alert_target('ops');
-- No session makes new plans meanwhile.
do $$
begin
    execute (select string_agg(format('alter table %s set (autovacuum_enabled = off)', oid::regclass), ';')
             from pg_class where relnamespace = 'postrider'::regnamespace and relkind = 'r');
end
$$;
vacuum analyze;  -- now they are known to be empty
do $$ begin perform set_config('promise.worker', promise.worker('life')::text, false); end $$;
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
-- A system grows: every table was small and is large now.
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_per constant int := 5000;
begin
    insert into postrider.message (channel, event_type, priority) select 'life', 'many', 1 from generate_series(1, 4 * v_per);
    commit;
    for i in 1..2 loop
        perform postrider.claim(w, 10000);
        commit;
    end loop;
    update postrider.delivery set status = 'failed', dead_at = clock_timestamp(), fingerprint = 'f', last_error = 'broken'
    where id in (select id from postrider.delivery where event_type = 'many' order by id limit v_per);
    update postrider.delivery set status = 'delivered', delivered_at = clock_timestamp()
    where id in (select id from postrider.delivery where event_type = 'many' and status = 'pending' order by id limit v_per);
    commit;
    perform postrider.claim_due(promise.worker('life'), v_per);
    call promise.fill_ledger(w, v_per);
    commit;
end
$$;

-- are_few(when): the recorded buffers, the best of three counts. Reaping scans the deliveries in flight.
create procedure promise.are_few(p_when text)
    language plpgsql
    as $$
declare
    c record;
begin
    for c in select what, min(buffers) as buffers from promise.cost group by what order by 2 loop
        raise notice '%, %: % buffers', p_when, c.what, c.buffers;
        assert c.buffers <= case c.what when 'reap' then 900 when 'park' then 700 else 400 end, format('%s, %s: %s buffers', p_when, c.what, c.buffers);
    end loop;
end
$$;
delete from promise.cost;
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.are_few('with plans of empty tables');
vacuum;  -- plans are made again, by no more than the sizes of the tables
delete from promise.cost;
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.are_few('with sizes alone');
analyze;
delete from promise.cost;
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.live(current_setting('promise.worker')::uuid);
call promise.are_few('after analyze');
