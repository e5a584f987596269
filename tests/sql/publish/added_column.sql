-- Promises about a migration that adds a column to the log, or drops one, while workers are connected:
--   a session that has claimed, parked, failed, reaped and redelivered messages before can do all of that with the plans it holds
\ir ../include/promises.sql

-- everything(): each way to read messages of the log, once. The first message is one of a late committer.
create procedure promise.everything()
    language plpgsql
    as $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_lease bigint;
    v_token uuid;
    v_id uuid;
begin
    assert promise.numbers(w) = '{1}', 'late';
    commit;
    perform promise.publish('wide', 20);
    commit;
    assert promise.numbers(w, 2) = '{1,2}', 'claim';
    commit;
    select x.lease_id, x.lease_token into v_lease, v_token from postrider.exchange_packed(w, 2) x where x.lease_id is not null;
    commit;
    perform postrider.settle(w, v_lease, v_token, p_failures => jsonb_build_array(jsonb_build_object(
        'seq', (promise.newest_lease(w)).members[1], 'handler', 'test.all', 'outcome', 'transient')));
    commit;
    assert promise.drain(w) = 16, 'drain';
    commit;
    perform postrider.publish('test.later', '{"n": 30}', p_channel => 'wide', p_priority => 1::smallint);
    v_id := postrider.publish('test.now', '{"n": 31}', p_channel => 'wide');
    commit;
    assert promise.drain(w) = 2, 'beside a message that waits';
    commit;
    perform postrider.redeliver(v_id, 'reader', 'test.all', false, 'test', 'again', 'wide');
    commit;
    update postrider.worker set alive_until = clock_timestamp() - interval '1 second';
    assert (select r.leases from postrider.reap() r) > 0, 'reap';
    commit;
    perform postrider.heartbeat(w);
    commit;
end
$$;

-- A prepared transaction stands for an open one.
\set late 'begin; select promise.publish(\'wide\', 1); prepare transaction :\'DBNAME\'; select promise.publish(\'wide\', 3);'
\set late :late ' select promise.drain(current_setting(\'promise.worker\')::uuid); commit prepared :\'DBNAME\';'

select set_config('promise.worker', promise.worker('wide')::text, false) \g /dev/null
:late
call promise.everything();
:late
call promise.everything();

alter table postrider.message add column extra text default 'x';
:late
call promise.everything();

alter table postrider.message drop column extra;
:late
call promise.everything();
