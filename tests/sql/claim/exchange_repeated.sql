-- Promises about the second and every later exchange on one connection, which has cached its worker:
--   the checks of the first one apply to all: limits, isolation levels, leases of other workers
--   failed and unreported messages stay unhandled
--   the answer about the old lease comes once, in the last row
--   parking sends NOTIFY: a sleeping worker may be the one that has the handler
\ir ../include/promises.sql

do $$
declare
    w uuid := promise.worker('known');
    other uuid := promise.worker('known');
    l postrider.lease;
    v_settled text[];
begin
    perform promise.publish('known', 8);
    commit;
    perform postrider.exchange_packed(w, 3);
    commit;
    perform promise.raises(format('select postrider.exchange_packed(%L, -1)', w), 'PR001');
    perform promise.raises(format('select postrider.exchange_packed(%L, 10001)', w), 'PR001');
    perform promise.raises(format('select postrider.exchange_packed(%L, null)', w), 'PR001');
    -- Of three messages one fails, one is delivered, and one is not reported.
    l := promise.newest_lease(w);
    assert (select e.settled from postrider.exchange_packed(w, 1, l.id, l.token, l.members[1:1], jsonb_build_array(
                jsonb_build_object('seq', l.members[2], 'outcome', 'transient', 'error', 'no'))) e) = 'open';
    commit;
    assert (select members from postrider.lease where id = l.id) = l.members[3:3];
    assert (select array_agg(d.payload ->> 'n') from postrider.delivery d where d.channel = 'known') = '{2}';
    assert (select e.settled from postrider.exchange_packed(w, 1, l.id, l.token, '{}') e) = 'open';
    commit;
    assert (select members from postrider.lease where id = l.id) = l.members[3:3];
    -- All the others were delivered.
    assert (select e.settled from postrider.exchange_packed(w, 1, l.id, l.token, null, jsonb_build_array(
                jsonb_build_object('seq', l.members[3], 'outcome', 'transient', 'error', 'no'))) e) = 'settled';
    commit;
    assert (select array_agg(d.payload ->> 'n' order by d.seq) from postrider.delivery d where channel = 'known') = '{2,3}';
    -- A token does not give the lease to another worker.
    l := promise.newest_lease(w);
    assert cardinality(l.members) = 1;
    perform postrider.exchange_packed(other, 1);
    commit;
    assert (select e.settled from postrider.exchange_packed(other, 1, l.id, l.token) e) = 'lost_lease';
    commit;
    assert (select members = l.members and finished_at is null from postrider.lease where id = l.id);
    -- The answer comes once, also when the messages come in several rows.
    perform promise.publish('known', 300);
    commit;
    perform postrider.exchange_packed(w, 1);
    commit;
    select array_agg(e.settled) into v_settled from postrider.exchange_packed(w, 250, 1000000000, gen_random_uuid()) e;
    assert v_settled = '{null,lost_lease}', v_settled;
    commit;
    perform postrider.exchange_packed(w, 1, 1000000000, gen_random_uuid(), p_deadline => '2 hours');
    commit;
    l := promise.newest_lease(w);
    assert l.deadline = l.claimed_at + interval '2 hours', l;
    -- Messages that were reaped in the meantime are not settled.
    update postrider.lease set deadline = clock_timestamp() - interval '1 second' where id = l.id;
    perform postrider.reap();
    commit;
    assert (select e.settled from postrider.exchange_packed(w, 1, l.id, l.token) e) = 'lost_lease';
    perform set_config('promise.worker', w::text, false);
end
$$;
begin isolation level repeatable read;
select promise.raises(format('select postrider.exchange_packed(%L, 1)', current_setting('promise.worker')), 'PR005');
commit;

-- parking sends NOTIFY: a sleeping worker may be the one that has the handler
do $$
declare
    w uuid := promise.worker('parked');
begin
    perform promise.publish('parked', 1);
    commit;
    perform postrider.exchange_packed(w, 1);
    assert not promise.bell_shared('parked');
    commit;
    w := promise.worker('unknown', '[{"name": "a.x", "event_types": ["a"]}]');
    perform postrider.publish('b', p_channel => 'unknown', p_target => 'reader');
    commit;
    assert (select (e.parked, e.lease_id is null) = (1, true) from postrider.exchange_packed(w, 10) e);
    assert promise.bell_shared('unknown');
    assert (select array_agg(handler) from postrider.delivery where channel = 'unknown') = '{""}';
end
$$;
