-- Promises about a backlog of many ordering keys, which a producer can make with one transaction:
--   no claim notes more than 5,000 messages, nor hands out more than it was asked for, so claims end in time
--   all messages are handed out, once, each key in its order, and next_times() tells a worker to ask as long as there are some
\ir ../../sql/include/promises.sql
drop role if exists test_keys_producer;
create role test_keys_producer login in role postrider_producer;
select set_config('promise.w', promise.worker('keys')::text, false) \g /dev/null
select postrider.create_consumer('reader', 'keys', p_ordering => 'hold') \g /dev/null
set session authorization test_keys_producer;
insert into postrider.message (channel, event_type, ordering_key, payload)
select 'keys', 'a', 'key' || n % 2600, jsonb_build_object('n', n) from generate_series(1, 5200) n;
reset session authorization;
create table promise.seen (at serial, n int, key text);
do $$
declare
    v_worker uuid := current_setting('promise.w');
    v_noted int := 0;
    v_most int := 0;  -- that one claim noted
    v_idle int := 0;
    m record;
begin
    while v_idle < 20 loop
        with c as (select * from postrider.claim(v_worker, 500)),
             s as (insert into promise.seen (n, key) select (c.payload ->> 'n')::int, c.ordering_key from c)
        select min(c.lease_id) as lease_id, (array_agg(c.lease_token))[1] as token into m from c;
        commit;
        v_most := greatest(v_most, (select count(*) from postrider.follower) - v_noted);
        select count(*) into v_noted from postrider.follower;
        if exists (select from postrider.follower where ready and segment < postrider.noted_segment(follower.consumer_id)
                   and key not in (select b from postrider.busy_keys(follower.consumer_id) b)) then
            assert postrider.next_waiting((select id from postrider.consumer where channel = 'keys')) <= clock_timestamp();
        end if;
        v_idle := case when m.lease_id is null then v_idle + 1 else 0 end;
        perform postrider.settle(v_worker, m.lease_id, m.token) where m.lease_id is not null;
        commit;
    end loop;
    assert v_most between 1 and 5000, format('one claim noted %s messages', v_most);
    assert (select count(*) = 5200 and count(distinct n) = 5200 from promise.seen), (select count(*) from promise.seen);
    assert not exists (select from promise.seen a join promise.seen b on a.key = b.key and a.n < b.n and a.at > b.at), 'in the order of their keys';
    assert not exists (select from postrider.follower);
end
$$;
drop role test_keys_producer;
