-- Promises of exchange_native():
--   it hands out the same messages as exchange_packed(), byte for byte, without calling it
--   in cases that it cannot decide it calls exchange_packed(), before anything is written
--   it settles like exchange_packed()
--   without a worker and a limit it does nothing: this checks whether the library can be loaded
\ir ../sql/include/promises.sql
\ir include/helped.sql
\ir include/bound.sql

create function promise.helped() returns bigint
    language sql
    as $$
    select promise.helped('postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean)')
    $$;

-- twins(channel, types): two workers of two consumers with the same event types.
create function promise.twins(p_channel text, p_types jsonb, out a uuid, out b uuid)
    language plpgsql
    as $$
begin
    a := gen_random_uuid();
    b := gen_random_uuid();
    perform postrider.register_worker(a, 'twin', jsonb_build_array(jsonb_build_object('name', 'twin.all', 'event_types', p_types)),
                                      p_channel);
    perform postrider.register_worker(b, 'other', jsonb_build_array(jsonb_build_object('name', 'twin.all', 'event_types', p_types)),
                                      p_channel);
end
$$;

-- remember(worker): as if the session had been this worker's all the time.
create function promise.remember(p_worker uuid) returns void
    language sql
    as $$
    select set_config('postrider.worker', w.id || ' ' || w.consumer_id, false),
           set_config('postrider.looked', w.consumer_id::text, false)
    from postrider.worker w where w.id = p_worker
    $$;

-- compare(twins, limit, alone): one claim by the library and one in SQL; both hand out the same messages.
create procedure promise.compare(p_twins record, p_limit int, p_alone boolean, inout taken int default 0)
    language plpgsql
    as $$
declare
    v_native postrider.handed_out[];
    v_sql postrider.handed_out[];
    v_helped bigint;
begin
    commit;
    if p_alone is distinct from false then
        perform promise.remember(p_twins.a);
    end if;
    perform promise.helped();
    v_native := array(select row(h.*)::postrider.handed_out from postrider.exchange_native(p_twins.a, p_limit) h);
    v_helped := promise.helped();
    commit;
    v_sql := array(select row(h.*)::postrider.handed_out from postrider.exchange_packed(p_twins.b, p_limit) h);
    commit;
    assert (select string_agg(h.messages, '') from unnest(v_native) h)
        is not distinct from (select string_agg(h.messages, '') from unnest(v_sql) h),
        format('rows of %s and of %s bytes', array(select length(h.messages) from unnest(v_native) h),
               array(select length(h.messages) from unnest(v_sql) h));
    assert (select h.parked from unnest(v_native) h where h.parked is not null)
        = (select h.parked from unnest(v_sql) h where h.parked is not null), 'parked';
    assert (promise.newest_lease(p_twins.a)).members = (promise.newest_lease(p_twins.b)).members, 'members';
    assert ((promise.newest_lease(p_twins.a)).to_seq) = ((promise.newest_lease(p_twins.b)).to_seq), 'how far it was read';
    assert p_alone is null or p_alone = (v_helped = 0), format('helped %s times', v_helped);
    taken := coalesce(cardinality((promise.newest_lease(p_twins.a)).members), 0);
end
$$;

-- byte for byte, of every kind, over several rows and to the end of a segment
do $$
declare
    t record;
    n int;
begin
    t := promise.twins('bytes', '["a.*", "b"]');
    perform promise.publish('bytes', 450, 'a.b');
    perform promise.publish('bytes', 20, 'not.ours');
    perform postrider.publish('b', '{"n": 4}', 'shop', null, 'bytes', null, 3, '2026-01-02 03:04:05Z',
                              '11111111-1111-1111-1111-111111111111', 'key', 'order', 'part', '{"h": 1}', '{"m": 1}',
                              'trace', 'class', 42);
    perform promise.publish('bytes', 3, 'b');
    call promise.compare(t, 5, false, n);  -- the first claim of a worker is made in SQL
    assert n = 5;
    call promise.compare(t, 401, true, n);
    assert n = 401;
    call promise.compare(t, 45, true, n);
    assert n = 45;
end
$$;

-- a message with another target is passed over and not handed out
do $$
declare
    w uuid := promise.worker('named');
    h postrider.handed_out;
begin
    perform postrider.exchange_packed(w, 1);
    perform postrider.publish('a', '{"n": 1}', p_channel => 'named', p_target => 'absent');
    perform postrider.publish('a', '{"n": 2}', p_channel => 'named', p_target => 'reader');
    commit;
    h := postrider.exchange_native(w, 10);
    assert cardinality((promise.newest_lease(w)).members) = 1, h;
end
$$;

-- a large payload, one that is compressed, and strange texts
do $$
declare
    t record;
    n int;
begin
    t := promise.twins('texts', '["*"]');
    call promise.compare(t, 1, null, n);
    perform postrider.publish('a', jsonb_build_object('t', repeat('x', 3000)), p_channel => 'texts');
    perform postrider.publish('a', '{"t": "\u00e4\ud83d\ude00 \\ \" \n"}', p_channel => 'texts', p_headers => '{"ä": "ö"}');
    perform postrider.publish('ä.ö', 'null', p_channel => 'texts', p_idempotency_key => '');
    call promise.compare(t, 10, null, n);
    assert n = 3;
    perform postrider.publish('a', jsonb_build_object('t', repeat(md5('x'), 300)), p_channel => 'texts');
    perform postrider.publish('a', to_jsonb(array(select md5(i::text) from generate_series(1, 400) i)), p_channel => 'texts');
    call promise.compare(t, 10, null, n);
    assert n = 2;
end
$$;

-- messages that wait are passed over: exchange_waiting() hands them out
do $$
declare
    t record;
    n int;
begin
    t := promise.twins('waiting', '["*"]');
    call promise.compare(t, 1, null, n);
    perform promise.publish('waiting', 3);
    perform postrider.publish('a', '{}', p_channel => 'waiting', p_priority => 5);
    call promise.compare(t, 10, false, n);
    assert n = 3;
    perform promise.publish('waiting', 1);
    call promise.compare(t, 10, null, n);
    perform promise.publish('waiting', 250);
    perform postrider.publish('a', '{}', p_channel => 'waiting', p_available_at => now() + interval '1 hour');
    perform promise.publish('waiting', 5);
    commit;
    perform promise.remember(t.a), promise.helped();
    perform postrider.exchange_native(t.a, 1000);
    assert cardinality((promise.newest_lease(t.a)).members) = 255, promise.newest_lease(t.a);
    assert promise.helped() = 0, promise.newest_lease(t.a);
end
$$;

-- several partitions are read in the order of transactions
do $$
declare
    t record;
    n int;
begin
    t := promise.twins('parts', '["*"]');
    call promise.compare(t, 1, null, n);
    insert into postrider.message (channel, event_type, published_at)
    select 'parts', 'a', now() - (i % 2) * interval '50 minutes' from generate_series(1, 30) i;
    perform promise.publish('parts', 10);
    commit;
    assert (select count(distinct tableoid) from postrider.message where channel = 'parts') = 2;
    call promise.compare(t, 25, null, n);
    assert n = 25;
    call promise.compare(t, 25, null, n);
    assert n = 15;
end
$$;

-- it settles like exchange_packed(), and checks the owner of a lease
do $$
declare
    w uuid := promise.worker('settled');
    v_seqs bigint[];
    a postrider.handed_out;
    b postrider.handed_out;
begin
    perform postrider.exchange_packed(w, 1);
    perform promise.publish('settled', 9);
    commit;
    a := postrider.exchange_native(w, 3);
    commit;
    b := postrider.exchange_native(w, 3, a.lease_id, gen_random_uuid());
    assert b.settled = 'lost_lease' and b.lease_id is not null, b;
    commit;
    perform promise.helped();
    b := postrider.exchange_native(w, 3, a.lease_id, a.lease_token);
    assert b.settled = 'settled' and promise.helped() = 0, b;
    assert (select finished_at is not null and members = '{}' from postrider.lease where id = a.lease_id);
    commit;
    a := postrider.exchange_native(w, 3, a.lease_id, a.lease_token);
    assert a.settled = 'settled' and a.lease_id is null, a;
    commit;
    v_seqs := (select members from postrider.lease where id = b.lease_id);
    a := postrider.exchange_native(w, 3, b.lease_id, b.lease_token, v_seqs[1:1]);
    assert a.settled = 'open', a;
    commit;
    a := postrider.exchange_native(w, 3, b.lease_id, b.lease_token, null, jsonb_build_array(
        jsonb_build_object('seq', v_seqs[2], 'outcome', 'transient', 'error', 'no')));
    assert a.settled = 'settled', a;
    assert (select count(*) from postrider.delivery where last_error = 'no') = 1;
end
$$;

-- two calls in one statement hand out different messages
do $$
declare
    w uuid := promise.worker('both');
    v_seqs bigint[];
begin
    perform postrider.exchange_packed(w, 1);
    perform promise.publish('both', 8);
    commit;
    perform postrider.exchange_native(w, 1);
    commit;
    perform promise.helped();
    perform postrider.exchange_native(w, 2) from generate_series(1, 3);
    assert promise.helped() = 0;
    v_seqs := array(select unnest(members) from postrider.lease
                    where consumer_id = (select consumer_id from postrider.worker where id = w) and finished_at is null);
    assert cardinality(v_seqs) = 7 and (select count(distinct s) from unnest(v_seqs) s) = 7, v_seqs;
end
$$;

-- a new segment is found where the clock says: the floor moves on with the cursor
do $$
declare
    w uuid := promise.worker('floor');
    a postrider.lease;
    b postrider.lease;
begin
    for i in 1 .. 6 loop
        perform promise.publish('floor', 1);
        commit;
        perform promise.helped();
        perform postrider.exchange_native(w, 10);
        a := b;
        b := promise.newest_lease(w);
        commit;
    end loop;
    assert promise.helped() = 0 and b.floor_at > now() - interval '1 minute', b;
    assert (b.floor_at, b.done_at, b.done_xid) = (a.done_at, a.open_at, a.open_xid), format('%s, then %s', a, b);
end
$$;

-- a claim without messages writes no lease, and a paused consumer gets none
do $$
declare
    w uuid := promise.worker('idle');
    h postrider.handed_out;
    v_leases bigint;
begin
    for i in 1 .. 3 loop
        perform promise.publish('idle', 1);
        commit;
        perform postrider.exchange_native(w, 1);
        commit;
    end loop;
    v_leases := (select count(*) from postrider.lease);
    perform promise.helped();
    h := postrider.exchange_native(w, 3);
    assert h.lease_id is null and h.messages is null and h.parked = 0 and promise.helped() = 0, h;
    assert (select count(*) from postrider.lease) = v_leases;
    perform promise.publish('idle', 1);
    perform postrider.pause_consumer('reader', true, 'idle');
    commit;
    h := postrider.exchange_native(w, 3);
    assert h.lease_id is null, 'paused';
    perform postrider.pause_consumer('reader', false, 'idle');
    commit;
    h := postrider.exchange_native(w, 3);
    assert h.lease_id is not null, 'not paused any more';
end
$$;

-- it rejects the same arguments as exchange_packed(); without arguments it only shows that the library is loaded
select promise.raises('select postrider.exchange_native(gen_random_uuid(), 1)', 'PR004');
select promise.raises('select postrider.exchange_native(null, 1)', 'PR004');
do $$
begin
    assert not exists (select from postrider.exchange_native(null, null));
end
$$;
select promise.worker('strict') as worker \gset
select postrider.exchange_packed(:'worker', 1);
begin transaction isolation level repeatable read;
select promise.raises(format('select postrider.exchange_native(%L, 1)', :'worker'), 'PR005');
rollback;
