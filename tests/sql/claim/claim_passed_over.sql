-- Promises about messages that are for other consumers, with a scan_time() of zero, so that every claim stops at the first of them:
--   a claim that only passed over messages says so (parked = -1), and its progress is kept
--   the messages among them are handed out in order, none is lost, none comes twice
--   this is true of late committers, of a worker without all handlers and of claims of every size
--   claim() sends NOTIFY when it stopped early, so that a waiting caller calls again
\ir ../include/promises.sql

create or replace function postrider.scan_time() returns interval
    language sql immutable parallel safe
    as $$ select interval '0' $$;

-- step(worker, packed, limit): one exchange. Returns how many messages it handed out, and `parked`; settles them.
create function promise.step(p_worker uuid, p_packed boolean, p_limit int, out got int, out parked int)
    language plpgsql
    as $$
declare
    l postrider.lease;
begin
    if p_packed then
        select h.parked into parked from postrider.exchange_packed(p_worker, p_limit) h where h.parked is not null;
    else
        select e.parked into parked from postrider.exchange(p_worker, p_limit) e where e.seq is null;
    end if;
    l := promise.newest_lease(p_worker);
    got := case when l.finished_at is null then cardinality(l.members) else 0 end;
    if got > 0 then
        perform postrider.settle(p_worker, l.id, l.token);
    end if;
end
$$;

-- steps(worker, packed, limit): exchanges until one says that nothing is left; the messages of each, -1 for one that stopped.
create procedure promise.steps(p_worker uuid, p_packed boolean, p_limit int, inout seen int[])
    language plpgsql
    as $$
declare
    r record;
begin
    seen := '{}';
    for i in 1..100 loop
        r := promise.step(p_worker, p_packed, p_limit);
        commit;
        exit when r.got = 0 and r.parked = 0;
        seen := seen || case when r.got > 0 then r.got else r.parked end;
    end loop;
end
$$;

do $$
declare
    w uuid;
    o uuid;
    v_packed boolean;
    v_found int[];
    v_channel text;
begin
    foreach v_packed in array array[false, true] loop
        v_channel := 'one_' || v_packed;
        w := promise.worker(v_channel, '[{"name": "a.x", "event_types": ["mine"]}]');
        o := promise.worker(v_channel, '[{"name": "b.x", "event_types": ["*"]}]', 'other');
        perform promise.publish(v_channel, 3, 'foreign');
        perform promise.publish(v_channel, 2, 'mine');
        perform promise.publish(v_channel, 2, 'foreign');
        perform promise.publish(v_channel, 1, 'mine');
        commit;
        call promise.steps(w, v_packed, 10, v_found);
        assert v_found = '{-1,-1,-1,2,-1,1}', format('%s: %s', v_packed, v_found);
        assert not exists (select from postrider.outbox where handler = 'a.x' and channel = v_channel and status <> 'delivered');
        -- Every type matches: the time limit does not matter.
        call promise.steps(o, v_packed, 5, v_found);
        assert v_found = '{5,3}', format('%s: %s', v_packed, v_found);
        perform set_config('postrider.worker', '', false);
    end loop;
end
$$;

-- Larger than a piece: a claim keeps the pieces it has read when its time is over.
do $$
declare
    w uuid := promise.worker('pieces', '[{"name": "a.x", "event_types": ["mine"]}]');
    v_found int[];
begin
    perform promise.publish('pieces', 700, 'mine');
    perform promise.publish('pieces', 1, 'foreign');
    perform promise.publish('pieces', 300, 'mine');
    commit;
    call promise.steps(w, true, 1000, v_found);
    assert (select sum(f) filter (where f > 0) from unnest(v_found) f) = 1000, v_found;
    perform set_config('postrider.worker', '', false);
end
$$;

-- A transaction that commits after the cursor has passed it, and a worker that has one of two handlers.
select promise.worker('late', '[{"name": "a.x", "event_types": ["mine"]}, {"name": "a.y", "event_types": ["yours"]}]') \g /dev/null
select promise.worker('late', '[{"name": "a.x", "event_types": ["mine"]}]') as worker \gset
\setenv PGDATABASE :DBNAME
begin;
insert into postrider.message (channel, event_type, payload)
select 'late', t, '{}' from unnest(array['foreign', 'foreign', 'mine', 'foreign']) t;
\! psql -XqAt -c "insert into postrider.message (channel, event_type) select 'late', t from unnest(array['foreign', 'mine', 'yours']) t"
select set_config('promise.worker', :'worker', false) \g /dev/null
\! psql -XqAt -c "select count(*) from postrider.exchange((select id from postrider.worker w where consumer_id = (select id from postrider.consumer where channel = 'late') and cardinality(handlers) = 1), 10)" -c "select count(*) from postrider.exchange((select id from postrider.worker w where consumer_id = (select id from postrider.consumer where channel = 'late') and cardinality(handlers) = 1), 10)" > /dev/null
commit;
do $$
declare
    w uuid := current_setting('promise.worker');
    v_found int[];
begin
    -- The second exchange above read up to "yours", which was parked.
    assert (select sum(cardinality(members)) from postrider.lease where worker_id = w) = 1;
    call promise.steps(w, false, 10, v_found);
    assert v_found = '{-1,-1,1}', v_found;
    assert (select count(*) from postrider.delivery where channel = 'late' and handler = 'a.y' and status = 'pending') = 1;
end
$$;

-- claim() has no column for it.
do $$
declare
    w uuid := promise.worker('plain', '[{"name": "a.x", "event_types": ["mine"]}]');
    v_calls int := 0;
begin
    perform promise.publish('plain', 5, 'foreign');
    perform promise.publish('plain', 1, 'mine');
    commit;
    while promise.numbers(w) = '{}' loop
        v_calls := v_calls + 1;
        assert promise.bell_shared('plain'), 'a claim that stopped early did not ring';
        assert v_calls < 10;
        commit;
    end loop;
    assert v_calls = 5, v_calls;
    commit;
    assert promise.numbers(w) = '{}' and not promise.bell_shared('plain'), 'rang at the end of the log';
end
$$;
