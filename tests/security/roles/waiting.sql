-- Promises about messages that wait behind many that a producer published for other consumers:
--   a claim says that it has not read all of them, and finds the one behind them
--   cancel, reschedule and seek find it, too
--   cancelled members of many sets keep the claim lock for two seconds, and the other sets complete in maintenance
\ir ../../sql/include/promises.sql

-- decoys(channel): more messages that wait than a claim reads.
create function promise.decoys(p_channel text) returns void
    language sql
    as $$
    insert into postrider.message (event_type, channel, target, priority) select 'test.happened', p_channel, 'none', 1 from generate_series(1, 6000)
    $$;

do $$
declare
    w uuid := promise.worker('behind');
    h postrider.handed_out;
begin
    perform promise.decoys('behind');
    perform postrider.publish('test.happened', '{"n": 1}', p_channel => 'behind', p_priority => 5);
    commit;
    select e.* into h from postrider.exchange_waiting(w, 10) e;
    assert h.parked = -1 and h.lease_id is null, h;
    commit;
    select e.* into h from postrider.exchange_waiting(w, 10) e;
    assert h.lease_id is not null, h;
    commit;
    perform promise.decoys('behind');
    perform postrider.publish('test.happened', '{"n": 2}', p_channel => 'behind', p_priority => 5);
    commit;
    assert promise.numbers(w) = '{2}';
end
$$;

do $$
declare
    w uuid := promise.worker('found');
    v_ids uuid[];
    r record;
begin
    perform promise.decoys('found');
    v_ids := array(select postrider.publish('test.happened', jsonb_build_object('n', n), p_channel => 'found',
                                            p_available_at => clock_timestamp() + interval '1 second')
                   from generate_series(1, 3) n);
    commit;
    assert (select count(*) from postrider.cancel(jsonb_build_object('ids', v_ids[1:1]), 'ann', 'a test')) = 1;
    commit;
    assert cardinality(postrider.pending_deliveries(v_ids[2:2])) = 1;
    commit;
    select s.* into r from postrider.seek_consumer('reader', null, 'ann', 'a test', 'found') s;
    assert r.skipped = 1, r;
    commit;
    perform pg_sleep_until(clock_timestamp() + interval '1 second');
    assert promise.numbers(w) = '{}', 'cancelled or skipped';
end
$$;

-- Each job is the only member of its set.
select promise.worker('sets') \g /dev/null
select count(postrider.publish_set(
    's' || n, '[{"event_type": "test.happened", "channel": "sets", "target": "reader", "available_at": "2100-01-01"}]',
    '{"event_type": "set.done", "channel": "sets"}'))
from generate_series(1, 4000) n \g /dev/null
do $$
declare
    v_began timestamptz := clock_timestamp();
    v_took interval;
begin
    assert (select count(*) from postrider.cancel('{"consumer": "reader", "channel": "sets"}', 'ann', 'a test', 4000)) = 4000;
    v_took := clock_timestamp() - v_began;
    commit;
    assert v_took < interval '5 seconds', v_took;
    for i in 1..10 loop
        perform postrider.complete_sets();
        commit;
    end loop;
    assert (select count(*) from postrider.job_set where completed_at is not null) = 4000;
    assert not exists (select from postrider.set_mark);
end
$$;
