-- Promises about which due deliveries a worker gets, for how long, and when it should claim again:
--   the delivery that has waited longest goes first; next_due() returns the earliest due time, whatever is running
--   while all its probes run, a handler in an outage has nothing that is due
--   probes are counted for the handler of this consumer, however many claims they were handed out by
--   a handler that takes several at once gets them beside one whose circuit is open
--   without a deadline the consumer's is taken, then 15 minutes; a claim counts as a heartbeat of the claiming worker, and of no other
\ir ../include/promises.sql
\ir ../include/dead.sql
\ir ../include/circuits.sql

-- the delivery that has waited longest goes first; next_due() returns the earliest due time, whatever is running
do $$
declare
    w uuid := promise.worker('order');
    v_now constant timestamptz := clock_timestamp();
begin
    perform postrider.publish('a', jsonb_build_object('n', n), p_channel => 'order', p_priority => 1)
    from generate_series(1, 5) n;
    commit;
    perform promise.park(w);
    update postrider.delivery
    set available_at = v_now + case payload ->> 'n' when '4' then interval '2 hours' when '5' then interval '1 hour'
                                                    else (payload ->> 'n')::int * interval '-1 minute' end
    where channel = 'order';
    commit;
    assert postrider.next_due(w) = v_now - interval '3 minutes', postrider.next_due(w);
    for i in reverse 3..1 loop
        assert (select array_agg(c.payload ->> 'n') from postrider.claim_due(w, 1) c) = array[i::text];
        commit;
    end loop;
    assert postrider.next_due(w) = v_now + interval '1 hour', postrider.next_due(w);
end
$$;

-- while all its probes run, a handler in an outage has nothing that is due; probes are counted for the handler of this
-- consumer, however many claims they were handed out by
do $$
declare
    v_handlers constant jsonb := '[{"name": "a.x", "event_types": ["*"], "retry": {"curve": "immediate"},
                                    "circuit": {"failures": 3, "ramp": 8}}]';
    w uuid := promise.worker('outage', v_handlers);
    o uuid := promise.worker('outage', v_handlers, 'other');
    v_other text;
begin
    perform promise.publish('outage', 9);
    commit;
    call promise.settle_some(w, 9, 9);
    call promise.settle_some(o, 9, 9);
    perform promise.probe_now('outage');
    commit;
    assert postrider.next_due(w) < clock_timestamp();
    assert (select count(*) from postrider.claim_due(w, 10)) = 1;
    assert postrider.next_due(w) is null, 'nothing can be claimed until the probe has ended';
    assert postrider.next_due(o) < clock_timestamp();
    assert (select count(*) from postrider.claim_due(o, 10)) = 1, 'it has one of its own';
    assert (select array_agg(cardinality(probes)) from postrider.circuit where handler = 'a.x') = '{1,1}';
    perform postrider.settle_due(w, jsonb_agg(jsonb_build_object(
        'delivery', id, 'token', lease_token, 'outcome', 'delivered')))
    from postrider.delivery where channel = 'outage' and worker_id = w;
    commit;
    -- The circuit ramps up: two at once.
    assert postrider.next_due(w) < clock_timestamp();
    assert (select count(*) from postrider.claim_due(w, 1)) = 1 and (select count(*) from postrider.claim_due(w, 1)) = 1;
    assert (select count(*) from postrider.claim_due(w, 1)) = 0, 'that would be the third';
    assert postrider.next_due(w) is null, 'nothing can be claimed until one of them has ended';
end
$$;

-- a handler that takes several at once gets them beside one whose circuit is open
do $$
declare
    w uuid := promise.worker('several', '[{"name": "a.x", "event_types": ["a"], "circuit": {"failures": 2}},
                                          {"name": "b.x", "event_types": ["b"]}]');
begin
    perform promise.publish('several', 2, 'a');
    commit;
    call promise.settle_some(w, 2, 2);
    assert promise.circuit('several') like 'open %', promise.circuit('several');
    perform postrider.publish('b', p_channel => 'several', p_priority => 1) from generate_series(1, 7);
    commit;
    perform promise.park(w);
    commit;
    assert (select count(*) from postrider.claim_due(w, 1, p_batches => '{"b.x": 5}')) = 5;
    assert (select count(*) from postrider.claim_due(w, 1, p_batches => '{"b.x": 99999}')) = 2;
    perform promise.raises(format($q$select postrider.claim_due(%L, p_batches => '{"b.x": 100000}')$q$, w), 'PR001');
end
$$;

-- without a deadline the consumer's is taken, then 15 minutes; a claim counts as a heartbeat of the claiming worker, and of no other
do $$
declare
    w uuid := promise.worker('held');
    o uuid := promise.worker('held');
begin
    perform postrider.publish('a', p_channel => 'held', p_priority => 1) from generate_series(1, 3);
    commit;
    perform promise.park(w);
    update postrider.worker set alive_until = clock_timestamp() + alive_for / 3 where id in (w, o);
    commit;
    perform postrider.claim_due(w, 1);
    assert (select alive_until > clock_timestamp() + alive_for / 2 from postrider.worker where id = w);
    assert (select alive_until < clock_timestamp() + alive_for / 2 from postrider.worker where id = o);
    update postrider.consumer set lease_deadline = '1 hour' where channel = 'held';
    perform postrider.claim_due(w, 1);
    perform postrider.claim_due(w, 1, '2 hours');
    assert (select array_agg(deadline - claimed_at order by deadline) from postrider.delivery where channel = 'held')
         = '{15 minutes,1 hour,2 hours}';
end
$$;
