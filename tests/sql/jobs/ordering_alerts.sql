-- Promises about long queues behind an ordering key:
--   one alert is raised when as many messages wait for a key as the consumer says, or else the setting followers_alert; it names the message
--   that they wait for, and so do blocked_keys and the rows of doctor
--   there is no second one while they wait; when fewer than half wait, it ends with key_released, and the next queue raises another one
--   the cursor and other keys go on meanwhile, and nothing of the queue is lost
--   owners of the consumer and operators change the number; the change is in the audit
\ir ../include/promises.sql
\ir ../include/ordering.sql

-- alerts(channel): the kinds and texts of its alerts, in order, without ids.
create function promise.alerts(p_channel text) returns text
    language sql
    as $$
    select coalesce(string_agg(a.kind || ': ' || regexp_replace(a.last_error, '(message|letter) [0-9a-f-]+', '\1'), ', ' order by a.alert_id), '')
    from postrider.alerts a where a.channel = p_channel and a.kind <> 'dead_letter'
    $$;
-- handle(worker, outcome): claims and settles all that can be handed out, again and again; returns the names.
create function promise.handle(p_worker uuid) returns text
    language plpgsql
    as $$
declare
    v_names text[] := '{}';
    v_some text[];
begin
    loop
        select array_agg(c.payload ->> 'n' order by c.payload ->> 'n') into v_some from postrider.claim(p_worker, 100) c;
        exit when v_some is null;
        v_names := v_names || v_some;
        perform postrider.settle(p_worker, l.id, l.token) from postrider.lease l where l.worker_id = p_worker and l.finished_at is null;
    end loop;
    return array_to_string(v_names, ' ');
end
$$;

-- the setting, a message that runs, its end, and the next queue
do $$
declare
    w uuid := promise.ordered('long');
begin
    update postrider.setting set value = '3' where name = 'followers_alert';
    perform promise.keyed('long', 'a1 a2 a3 b1 b2');
    commit;
    perform postrider.claim(w, 100);
    perform postrider.maintain();
    assert promise.alerts('long') = '', 'two wait for a, and one for b';
    perform promise.keyed('long', 'a4');
    commit;
    perform postrider.claim(w, 100);
    perform postrider.maintain();
    perform postrider.maintain();
    assert promise.alerts('long') = 'key_backlog: 3 messages wait for the ordering key a: message runs', promise.alerts('long');
    assert (select event_id from postrider.alerts where channel = 'long') = (select id from postrider.message where payload ->> 'n' = 'a1' and channel = 'long');
    assert (select array_agg(key || ' ' || followers || ' ' || followers_alert || ' ' || (alerted_at is not null) order by key) from postrider.blocked_keys
            where channel = 'long') = '{"a 3 3 true","b 1 3 false"}';
    commit;
    perform postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    perform postrider.claim(w, 100);
    perform postrider.maintain();
    assert promise.alerts('long') not like '%released%', 'two are more than half';
    commit;
    perform postrider.settle(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.handle(w) = 'a3 a4';
    perform postrider.maintain();
    perform postrider.maintain();
    assert promise.alerts('long') = 'key_backlog: 3 messages wait for the ordering key a: message runs, '
        || 'key_released: messages of the ordering key a are handled again', promise.alerts('long');
    perform promise.keyed('long', 'a5 a6 a7 a8');
    commit;
    perform postrider.claim(w, 100);
    perform postrider.maintain();
    assert (select count(*) from postrider.alerts where channel = 'long' and kind = 'key_backlog') = 2;
    commit;
end
$$;

-- the number of the consumer, a message that is retried, and a dead letter; the cursor and other keys go on
do $$
declare
    w uuid := promise.ordered('own');
begin
    perform postrider.set_followers_alert('reader', 2, 'ann', 'few orders per customer', 'own');
    perform promise.keyed('own', 'a1 a2 a3');
    commit;
    perform postrider.settle(w, c.lease_id, c.lease_token, '{}', jsonb_build_array(jsonb_build_object(
        'seq', c.seq, 'outcome', 'transient', 'error', 'no'))) from postrider.claim(w, 100) c;
    commit;
    perform postrider.maintain();
    assert promise.alerts('own') = 'key_backlog: 2 messages wait for the ordering key a: message is retried', promise.alerts('own');
    perform promise.keyed('own', 'a4 a5 b1 b2');
    commit;
    assert promise.handle(w) = 'b1 b2', 'no other key waits';
    assert promise.due(w, 'terminal') = 'a1';
    commit;
    perform postrider.maintain();
    assert (select status || ' ' || followers from postrider.blocked_keys where channel = 'own') = 'failed 4';
    assert (select count(*) from postrider.alerts where channel = 'own' and kind = 'key_backlog') = 1, 'the same queue';
    perform postrider.discard(jsonb_build_object('ids', jsonb_build_array(d.id)), 'ann', 'wrong')
    from postrider.dead_letters d where d.channel = 'own';
    commit;
    assert promise.handle(w) = 'a2 a3 a4 a5', 'nothing of the queue is lost';
    perform postrider.maintain();
    assert (select count(*) from postrider.alerts where channel = 'own' and kind = 'key_released') = 1;
    assert (select after::text || ' ' || reason from postrider.audits where action = 'set_followers_alert') = '2 few orders per customer';
end
$$;

-- refused
select promise.raises($$ select postrider.set_followers_alert('reader', 0, p_channel => 'own') $$, 'PR001') \g /dev/null
select promise.raises($$ select postrider.set_followers_alert('reader', 5, p_channel => 'nowhere') $$, 'PR003') \g /dev/null
select promise.raises($$ select postrider.set_followers_alert('reader', 5, p_reason => '', p_channel => 'own') $$, 'PR001') \g /dev/null

-- a dead letter at the head, a number that is taken back, and a consumer that is removed
do $$
declare
    w uuid := promise.ordered('dead');
begin
    perform postrider.set_followers_alert('reader', 1, p_channel => 'dead');
    perform promise.keyed('dead', 'a1 a2');
    commit;
    perform postrider.settle(w, c.lease_id, c.lease_token, '{}', jsonb_build_array(jsonb_build_object(
        'seq', c.seq, 'outcome', 'terminal', 'error', 'no'))) from postrider.claim(w, 100) c;
    commit;
    perform postrider.maintain();
    assert promise.alerts('dead') = 'key_backlog: 1 messages wait for the ordering key a: the dead letter holds it', promise.alerts('dead');
    assert (select a.delivery_id from postrider.alerts a where a.channel = 'dead' and a.kind = 'key_backlog')
         = (select d.delivery_id from postrider.dead_letters d where d.channel = 'dead');
    perform postrider.set_followers_alert('reader', null, p_channel => 'dead');
    perform postrider.maintain();
    assert (select kind from postrider.alerts where channel = 'dead' order by alert_id desc limit 1) = 'key_released', 'three may wait again';
    perform postrider.set_followers_alert('reader', 1, p_channel => 'dead');
    perform postrider.maintain();
    perform postrider.unregister_worker(w);
    commit;
    perform postrider.remove_consumer('reader', 'ann', 'test', 'dead', true);
    commit;
    assert not exists (select from postrider.key_backlog b where not exists (select from postrider.consumer c where c.id = b.consumer_id));
end
$$;

-- roles
drop role if exists promise_keeper, promise_stranger;
create role promise_keeper login in role postrider_worker;
create role promise_stranger login in role postrider_worker;
grant execute on all functions in schema promise to public;
set session authorization promise_keeper;
select postrider.create_consumer('kept', 'roles', p_ordering => 'hold') \g /dev/null
select postrider.set_followers_alert('kept', 7, p_channel => 'roles') \g /dev/null
set session authorization promise_stranger;
select promise.raises($$ select postrider.set_followers_alert('kept', 8, p_channel => 'roles') $$, 'PR010') \g /dev/null
reset session authorization;
do $$ begin assert (select followers_alert from postrider.consumer where name = 'kept') = 7; end $$;
drop role promise_stranger;
