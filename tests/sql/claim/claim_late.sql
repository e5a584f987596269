-- Promises about transactions that commit late (prepared transactions stand for open ones):
--   a message is handed out when its transaction commits, whatever was handed out meanwhile, and only once
--   an open transaction delays only its own messages
--   late messages come in log order and in pieces, like all others, and only to handlers of their type
--   the log's order is that of transactions: a message with the lower number does not hide one with the higher
--   a clock that is half an hour behind, or ahead, hides no late committer
\ir ../include/promises.sql

-- a late message is handed out when it commits, and blocks no other message
do $$
declare
    w uuid := promise.worker('late');
begin
    perform set_config('promise.worker', w::text, false);
end
$$;
begin;
select promise.publish('late', 3, 'slow') \g /dev/null
prepare transaction 'slow_one';
begin;
select promise.publish('late', 2, 'slower') \g /dev/null
prepare transaction 'slow_two';
begin;
select promise.publish('late', 2, 'undone') \g /dev/null
prepare transaction 'undone';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform postrider.publish('quick', '{"n": 10}', p_channel => 'late');
    commit;
    assert promise.numbers(w) = '{10}', 'an open transaction must not hold up others';
    commit;
    for i in 11..13 loop
        perform postrider.publish('quick', jsonb_build_object('n', i), p_channel => 'late');
        commit;
        assert promise.numbers(w) = array[i];
        commit;
    end loop;
end
$$;
commit prepared 'slow_two';
rollback prepared 'undone';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform postrider.publish('quick', '{"n": 14}', p_channel => 'late');
    commit;
    assert promise.numbers(w, 1) = '{1}', 'late messages come first and in pieces';
    commit;
    assert promise.numbers(w, 10) = '{2}';
    commit;
    assert promise.numbers(w, 10) = '{14}';
    commit;
    assert promise.numbers(w, 10) = '{}';
end
$$;
commit prepared 'slow_one';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    l record;
begin
    select array_agg((c.payload ->> 'n')::int order by c.seq) as n, min(c.lease_id) as id, min(c.lease_token::text)::uuid as token
    into l from postrider.claim(w, 2) c;
    assert l.n = '{1,2}', l.n;
    commit;
    -- A late message that fails is found again by its lease.
    assert postrider.settle(w, l.id, l.token, null, (
        select jsonb_agg(jsonb_build_object('seq', m, 'outcome', 'transient'))
        from postrider.lease le cross join unnest(le.members) m where le.id = l.id)) = 'settled';
    commit;
    assert (select array_agg(d.payload ->> 'n' order by d.seq) from postrider.delivery d where d.channel = 'late') = '{1,2}';
    assert promise.numbers(w, 2) = '{3}';
    commit;
    assert promise.numbers(w, 2) = '{}';
    assert not exists (select from postrider.outbox where channel = 'late' and event_type = 'undone');
    -- The cursor forgets transactions that ended, so that they are not looked up for ever.
    perform postrider.publish('quick', '{"n": 15}', p_channel => 'late');
    commit;
    assert promise.numbers(w, 2) = '{15}';
    commit;
    assert not exists (select from pg_snapshot_xip((promise.newest_lease(w)).done_snapshot) x
                       join postrider.message m on m.xid = x);
end
$$;

-- late messages go only to handlers of their type
do $$
declare
    w uuid := promise.worker('choosy', '[{"name": "a.x", "event_types": ["wanted"]}]');
begin
    perform set_config('promise.worker', w::text, false);
end
$$;
begin;
select promise.publish('choosy', 1, 'other'), promise.publish('choosy', 1, 'wanted') \g /dev/null
prepare transaction 'choosy';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform postrider.publish('wanted', '{"n": 10}', p_channel => 'choosy');
    commit;
    assert promise.numbers(w) = '{10}';
end
$$;
commit prepared 'choosy';
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    assert promise.numbers(w) = '{1}';
end
$$;

-- the log's order is that of transactions: a message with the lower number does not hide one with the higher
do $$
declare
    w uuid := promise.worker('crossed');
begin
    for i in 1..3 loop
        insert into postrider.message (event_type, channel, payload, priority, seq) overriding system value
        values ('a', 'crossed', jsonb_build_object('n', i), 1, 1000000000 - i);
        commit;
    end loop;
    assert promise.numbers(w, 1) || promise.numbers(w, 1) || promise.numbers(w, 1) = '{1,2,3}';
end
$$;

-- a clock that is half an hour behind, or ahead, hides no late committer
do $$
declare
    w uuid := promise.worker('clocks');
begin
    commit;
    for i in 1..3 loop
        assert promise.numbers(w) = '{}';
        commit;
    end loop;
    insert into postrider.message (event_type, channel, payload, priority, published_at)
    select 'a', 'clocks', jsonb_build_object('n', n), 1, clock_timestamp() + (n - 2) * interval '30 minutes'
    from generate_series(1, 3) n;
    commit;
    perform promise.park(w);
    commit;
    assert (select array_agg((d.payload ->> 'n')::int order by d.seq) from postrider.delivery d where d.channel = 'clocks')
         = '{1,2,3}';
end
$$;
