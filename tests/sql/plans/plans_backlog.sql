-- Promises about a large backlog, counted in buffers:
--   a failure, and a message that has to wait, costs the same whatever the backlog behind it
--   the messages of one large transaction are claimed as cheaply as those of many small ones, also when the
--     transaction was open while others were claimed
--   the list of consumers reads the first 1000 messages behind the cursor of each
--   a preview of cancel() for a whole consumer costs as much as it lists; one that lists nothing reads the backlog once
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

create procedure promise.giving_back_is_cheap(p_worker uuid, p_label text)
    language plpgsql
    as $$
declare
    l postrider.lease;
    v_best bigint;
begin
    for i in 1..4 loop
        perform postrider.claim(p_worker, 10);
        l := promise.newest_lease(p_worker);
        commit;
        v_best := least(v_best, promise.buffers(format(
            'select postrider.release(%L, %s, %L, %L)', p_worker, l.id, l.token, l.members[1:1])));
        commit;
    end loop;
    raise notice '%: giving back one message touches % buffers', p_label, v_best;
    assert v_best <= 150, format('%s: giving back one message touches %s buffers', p_label, v_best);
end
$$;

create procedure promise.cancelling_is_cheap(p_channel text)
    language plpgsql
    as $$
declare
    v_consumer text := (select c.name from postrider.consumer c where c.channel = p_channel);
    v_listed bigint;
    v_none bigint;
begin
    for i in 1..3 loop
        v_listed := least(v_listed, promise.buffers(format(
            'select postrider.cancel(%L, null, null, 100, true)', jsonb_build_object('channel', p_channel, 'consumer', v_consumer))));
        v_none := least(v_none, promise.buffers(format(
            'select postrider.cancel(%L, null, null, 100, true)',
            jsonb_build_object('channel', p_channel, 'consumer', v_consumer, 'event_type', 'no.such'))));
        commit;
    end loop;
    raise notice 'a preview of cancel() touches % buffers, one that lists nothing %', v_listed, v_none;
    assert v_listed <= 2000, v_listed;
    assert v_none <= 10000, v_none;
end
$$;

do $$ begin perform set_config('promise.worker', promise.worker('many')::text, false); end $$;
call promise.fill('many', 500, 40);
call promise.giving_back_is_cheap(current_setting('promise.worker')::uuid, 'many transactions');

do $$ begin perform set_config('promise.worker', promise.worker('large')::text, false); end $$;
call promise.fill('large', 1, 30000);
call promise.cancelling_is_cheap('large');
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'one transaction');
call promise.giving_back_is_cheap(current_setting('promise.worker')::uuid, 'one transaction');

do $$ begin perform set_config('promise.worker', promise.worker('late')::text, false); end $$;
begin;
insert into postrider.message (channel, event_type) select 'late', 'slow' from generate_series(1, 30000);
prepare transaction 'backlog_slow';
call promise.fill('late', 10, 20);
select promise.drain(current_setting('promise.worker')::uuid) \g /dev/null
commit prepared 'backlog_slow';
call promise.claims_are_cheap(current_setting('promise.worker')::uuid, 'one late transaction');
call promise.giving_back_is_cheap(current_setting('promise.worker')::uuid, 'one late transaction');

-- the list of consumers
select promise.worker('listed', '[{"name": "rare.all", "event_types": ["rare.*"]}]', 'rare') \g /dev/null
call promise.fill('listed', 1, 900);
do $$
begin
    assert (select behind_since is null from postrider.consumers where consumer = 'rare'), 'none of these is for it';
    perform postrider.publish('rare.a', p_channel => 'listed');
    assert (select behind_since is not null from postrider.consumers where consumer = 'rare'), 'this one is';
end
$$;
select promise.worker('listed', '[{"name": "rarer.all", "event_types": ["rarer.*"]}]', 'rarer') \g /dev/null
call promise.fill('listed', 1, 30000);
do $$
declare
    v_buffers bigint := promise.buffers('select consumer, behind_since from postrider.consumers where consumer = ''rarer''');
begin
    raise notice 'a consumer that accepts none of its backlog touches % buffers', v_buffers;
    assert v_buffers <= 1000, v_buffers;
    assert (select behind_since is not null from postrider.consumers where consumer = 'rarer'), 'it may be behind';
end
$$;
