-- Promises about messages that wait for longer than the log is kept, which become deliveries when their partition is dropped:
--   a call makes deliveries for about a second, however many there are, because it holds the claim locks of their consumers
--   a message that makes more than 16 MB of deliveries is left to the owner's workers, and does not hold up those of others
--   a message that was carried has a delivery of each handler, and waits no longer; the next call goes on with the rest
\ir ../../sql/include/promises.sql
\ir ../../sql/include/wide.sql
drop role if exists test_carried_greedy, test_carried_modest;
create role test_carried_greedy login in role postrider_worker, postrider_producer;
create role test_carried_modest login in role postrider_worker, postrider_producer;
grant all on schema promise to public;

-- As drop_partitions() does, which only operators may call, with the rights of its owner.
create function promise.carry() returns int
    language sql security definer
    as $$ select postrider.carry_waiting(name, clock_timestamp() + interval '1 second') from postrider.partitions() where now() >= from_at and now() < to_at $$;
create function promise.waiting(p_consumer text) returns bigint
    language sql
    as $$ select count(*) from postrider.waiting w join postrider.consumer c on c.id = abs(w.consumer_id) where c.name = p_consumer $$;
create function promise.later(p_channel text, p_count int, p_payload jsonb default '{}') returns void
    language sql
    as $$ select count(postrider.publish('a', p_payload, p_channel => p_channel, p_available_at => now() + interval '9 years'))
          from generate_series(1, p_count) $$;

-- 900 messages of a hundred handlers take several seconds
set session authorization test_carried_greedy;
select promise.wide('many', 100, '*') as many \gset
select promise.later('many', 900) \g /dev/null
select count(*) from postrider.exchange_waiting(:'many', 1) \g /dev/null
set session authorization test_carried_modest;
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.carry();
    assert clock_timestamp() - v_began < interval '4 s', clock_timestamp() - v_began;
end
$$;
reset session authorization;
do $$
declare
    v_before bigint := promise.waiting('many');
begin
    assert v_before < 900 and promise.copies('many') = 100 * (900 - v_before), promise.copies('many');
    perform promise.carry();
    assert promise.waiting('many') < v_before;
    assert (select bool_and(status = 'pending' and attempts = 0) from postrider.delivery where channel = 'many');
    delete from postrider.waiting;  -- carried before the ones below otherwise
end
$$;

-- 20 copies of a megabyte, and a small message of another role
set session authorization test_carried_greedy;
select promise.wide('huge', 20, '*') as huge \gset
select promise.later('huge', 1, to_jsonb(repeat('x', 1000000))) \g /dev/null
select count(*) from postrider.exchange_waiting(:'huge', 1) \g /dev/null
set session authorization test_carried_modest;
select promise.wide('small', 1, '*') as small \gset
select promise.later('small', 1) \g /dev/null
select count(*) from postrider.exchange_waiting(:'small', 1) \g /dev/null
select promise.carry() as by_others \gset
set session authorization test_carried_greedy;
select promise.carry() as by_owner \gset
reset session authorization;
select set_config('promise.carried', :'by_others' || ' ' || :'by_owner', false) \g /dev/null
do $$
begin
    assert current_setting('promise.carried') = '1 1', current_setting('promise.carried');
    assert promise.copies('small') = 1 and promise.copies('huge') = 20;
end
$$;

-- messages of a megabyte with one handler are carried sixteen at a time
set session authorization test_carried_greedy;
select promise.wide('large', 1, '*') as large \gset
select promise.later('large', 40, to_jsonb(repeat('x', 1000000))) \g /dev/null
select count(*) from postrider.exchange_waiting(:'large', 1) \g /dev/null
reset session authorization;
do $$
declare
    l postrider.lease;
begin
    select -w.consumer_id, array_agg(w.seq), row(array_agg(w.seq), array_agg(w.xid), min(w.published_at), max(w.published_at), '{}', '{}')
    into l.consumer_id, l.members, l.taken
    from postrider.waiting w join postrider.consumer c on c.id = abs(w.consumer_id) and c.name = 'large' group by 1;
    l.claimed_at := now();
    assert postrider.park_step(l) = 16, postrider.park_step(l);
end
$$;
