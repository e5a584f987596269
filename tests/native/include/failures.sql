-- For the tests of reports in which something has failed: two consumers of one log, of which one reports to the library and
-- one in SQL.
\ir ../../sql/include/promises.sql
\ir helped.sql
create function promise.helped() returns bigint
    language sql
    as $$
    select promise.helped('postrider.settle_in_sql(uuid, bigint, uuid, bigint[], jsonb)')
    $$;

-- claim(worker, limit, native): the new lease, by the library as if the session had been this worker's all the time, or in SQL.
create function promise.claim(p_worker uuid, p_limit int, p_native boolean) returns postrider.lease
    language plpgsql
    as $$
begin
    perform set_config('postrider.worker', w.id || ' ' || w.consumer_id, false),
            set_config('postrider.looked', w.consumer_id::text, false)
    from postrider.worker w where w.id = p_worker;
    if p_native then
        perform postrider.exchange_native(p_worker, p_limit);
    else
        perform postrider.exchange_packed(p_worker, p_limit);
    end if;
    return promise.newest_lease(p_worker);
end
$$;

-- of(lease, failures): where a failure says the n-th member of the lease, its seq.
create function promise.of(p_lease postrider.lease, p_failures jsonb) returns jsonb
    language sql
    as $$
    select jsonb_agg(case when f ? 'n' then f - 'n' || jsonb_build_object('seq', p_lease.members[(f ->> 'n')::int]) else f end)
    from jsonb_array_elements(p_failures) f
    $$;

-- report(lease, failures): settles it by the library, and says how often settle() had to help.
create function promise.report(p_lease postrider.lease, p_failures jsonb) returns bigint
    language plpgsql
    as $$
begin
    perform promise.helped();
    assert 'settled' = postrider.settle(p_lease.worker_id, p_lease.id, p_lease.token, null, promise.of(p_lease, p_failures));
    return promise.helped();
end
$$;

-- deliveries(lease): what became of its members, without what is another one's in every row.
create function promise.deliveries(p_lease postrider.lease) returns jsonb
    language sql
    as $$
    select jsonb_agg(to_jsonb(jsonb_populate_record(d, '{"payload": null, "headers": null}'))
                     - array['id', 'consumer_id', 'created_at', 'available_at', 'first_failed_at', 'dead_at', 'delivered_at']
                     || jsonb_build_object('payload', d.payload::text, 'headers', d.headers::text,
                                           'wait', d.available_at - d.first_failed_at, 'dead', d.dead_at is not null)
                     order by d.seq, d.handler)
    from postrider.delivery d where d.consumer_id = p_lease.consumer_id and d.seq = any (p_lease.members)
    $$;

-- fail(channel, failures, alone, handlers): ten messages claimed by two consumers, one by the library and one in SQL,
-- and the same report of both: the same deliveries, with the help of settle() or without.
create procedure promise.fail(
    p_channel text, p_failures jsonb, p_alone boolean, p_handlers jsonb default '[{"name": "test.all", "event_types": ["*"]}]',
    p_circuits boolean default true
)
    language plpgsql
    as $$
declare
    v_handlers jsonb := (select jsonb_agg('{"retry": {"curve": "fixed", "base_ms": 5000, "jitter": "none"}}' || h)
                         from jsonb_array_elements(p_handlers) h);
    a uuid := promise.worker(p_channel, v_handlers, 'native', true);
    b uuid := promise.worker(p_channel, v_handlers, 'sql', true);
    la postrider.lease;
    lb postrider.lease;
    h postrider.handed_out;
    v_helped bigint;
begin
    if not exists (select from postrider.message where channel = p_channel) then
        perform promise.publish(p_channel, 10);
    end if;
    commit;
    la := promise.claim(a, 10, true);
    commit;
    lb := promise.claim(b, 10, false);
    assert la.members = lb.members and cardinality(la.members) = 10, format('%s, %s', la.members, lb.members);
    commit;
    perform promise.helped();
    h := postrider.exchange_native(a, 0, la.id, la.token, null, promise.of(la, p_failures));
    v_helped := promise.helped();
    assert h.settled = 'settled', h;
    assert promise.bell_shared(p_channel) = (promise.deliveries(la) is not null), 'a worker may sleep';
    commit;
    assert postrider.settle_in_sql(b, lb.id, lb.token, null, promise.of(lb, p_failures)) = 'settled';
    commit;
    assert promise.deliveries(la) is not distinct from promise.deliveries(lb),
        format('%s: %s, and in SQL %s', p_channel, promise.deliveries(la), promise.deliveries(lb));
    assert (select finished_at is not null and members = '{}' from postrider.lease where id = la.id);
    assert not p_circuits
        or (select jsonb_agg(to_jsonb(k) - array['consumer_id', 'failing_since', 'changed_at', 'opened_at', 'probe_at'])
            from postrider.circuit k where k.consumer_id = la.consumer_id)
        is not distinct from
           (select jsonb_agg(to_jsonb(k) - array['consumer_id', 'failing_since', 'changed_at', 'opened_at', 'probe_at'])
            from postrider.circuit k where k.consumer_id = lb.consumer_id), 'circuits';
    assert p_alone = (v_helped = 0), format('%s: helped %s times', p_channel, v_helped);
end
$$;

-- fail_one(worker): claims three messages, lets one fail, and says how often settle() had to help.
create function promise.fail_one(p_worker uuid) returns bigint
    language sql
    as $$
    select promise.report(promise.claim(p_worker, 3, true), '[{"n": 2, "handler": "test.all", "outcome": "failed", "error": "no"}]')
    $$;
