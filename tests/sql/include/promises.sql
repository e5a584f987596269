-- Included first by every file here. A promise is a do-block with asserts; it commits where a real caller
-- would, and uses a channel of its own so that promises do not see each other's messages.
\set ON_ERROR_STOP on
\set QUIET on
\pset tuples_only on
\pset format unaligned
set client_min_messages = warning;

create schema promise;
grant usage on schema promise to public;

-- raises(sql, sqlstate): the statement must fail with exactly this SQLSTATE.
create function promise.raises(p_sql text, p_sqlstate text) returns void
    language plpgsql
    as $$
declare
    v_state text := '00000';
    v_message text := 'no error';
begin
    begin
        execute p_sql;
    exception when others then
        v_state := sqlstate;
        v_message := sqlerrm;
    end;
    if v_state is distinct from p_sqlstate then
        raise exception 'expected %, got % (%) from: %', p_sqlstate, v_state, v_message, left(p_sql, 300);
    end if;
end
$$;

-- worker(channel, handlers, consumer): registers a worker with a new id.
create function promise.worker(
    p_channel text, p_handlers jsonb default '[{"name": "test.all", "event_types": ["*"]}]',
    p_consumer text default 'reader', p_from_beginning boolean default false
) returns uuid
    language plpgsql
    as $$
declare
    v_worker uuid := gen_random_uuid();
begin
    perform postrider.register_worker(
        v_worker, p_consumer, p_handlers, p_channel, p_from_beginning => p_from_beginning);
    return v_worker;
end
$$;

-- publish(channel, count, event_type): messages with payload {"n": 1}, {"n": 2}, ... in this order.
create function promise.publish(p_channel text, p_count int, p_event_type text default 'test.happened')
    returns void
    language sql
    as $$
    select postrider.publish_many(jsonb_agg(jsonb_build_object(
        'channel', p_channel, 'event_type', p_event_type, 'payload', jsonb_build_object('n', n)) order by n))
    from generate_series(1, p_count) n
    $$;

-- park(worker): makes deliveries of the messages that wait, for promises about deliveries that were never run.
create function promise.park(p_worker uuid) returns void
    language plpgsql
    as $$
declare
    v_consumer int := (select consumer_id from postrider.worker where id = p_worker);
    c postrider.claim_cursor;
    p record;
begin
    loop
        select * into strict c from postrider.waiting_cursor(p_worker);
        p := postrider.note_next_waiting(c);
        c := p.at;
        perform postrider.write_waiting_lease(c, p_worker, null, null, null, true, null);
        exit when p.waiting = 0 and not p.more;
    end loop;
    perform postrider.materialise_waiting(
        v_consumer, array(select w.seq from postrider.waiting w where w.consumer_id = v_consumer));
end
$$;

-- numbers(worker, limit): claims, and returns the n of each message in the order handed out.
create function promise.numbers(p_worker uuid, p_limit int default 100) returns int[]
    language sql
    as $$
    select coalesce(array_agg((c.payload ->> 'n')::int), '{}') from postrider.claim(p_worker, p_limit) c
    $$;

-- drain(worker): claims and settles until nothing is left. Returns how many messages there were.
create function promise.drain(p_worker uuid, p_limit int default 1000) returns int
    language plpgsql
    as $$
declare
    v_count int := 0;
    v_got int := 1;
    v_lease bigint;
    v_token uuid;
begin
    while v_got > 0 loop
        select count(*), min(c.lease_id), (array_agg(c.lease_token))[1] into v_got, v_lease, v_token
        from postrider.claim(p_worker, p_limit) c;
        if v_got > 0 then
            perform postrider.settle(p_worker, v_lease, v_token);
        end if;
        v_count := v_count + v_got;
    end loop;
    return v_count;
end
$$;

-- newest_lease(worker): the newest lease of the worker's consumer.
create function promise.newest_lease(p_worker uuid) returns postrider.lease
    language sql
    as $$
    select l from postrider.lease l join postrider.worker w on w.consumer_id = l.consumer_id
    where w.id = p_worker order by l.id desc limit 1
    $$;

-- due_now(channel): lets every waiting delivery of a channel be due, instead of waiting for it.
create function promise.due_now(p_channel text) returns void
    language sql
    as $$
    update postrider.delivery set available_at = clock_timestamp() - interval '1 second'
    where channel = p_channel and status = 'pending'
    $$;

-- bell_shared(channel): whether this transaction has sent NOTIFY, or holds the doorbell in shared mode so that no keeper can sleep.
create function promise.bell_shared(p_channel text) returns boolean
    language sql
    as $$
    select exists (select from pg_locks
                   where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ShareLock' and classid = 1886351201
                     and objid::text = (hashtext(p_channel)::bigint & 4294967295)::text)
    $$;

-- buffers(sql): how many buffers the statement touches, catalog look-ups of a second run left out.
create function promise.buffers(p_sql text) returns bigint
    language plpgsql
    as $$
declare
    v_plan json;
begin
    execute 'explain (analyze, buffers, timing off, costs off, format json) ' || p_sql into v_plan;
    return (v_plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint
         + (v_plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
end
$$;
