-- Promises about transactions that commit late (prepared transactions stand for open ones):
--   a message is handed out when its transaction commits, whatever was handed out meanwhile, and only once
--   an open transaction holds up nobody else
--   late messages come in log order and in pieces, like all others
\ir include/promises.sql

-- a late message is handed out when it commits, and holds up nobody
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
        select jsonb_agg(jsonb_build_object('seq', m, 'outcome', 'failed'))
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
