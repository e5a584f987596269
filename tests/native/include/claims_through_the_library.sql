-- Makes exchange(), and with it claim(), and settle() call exchange_native(), so that the tests of their promises test the
-- library. For a template of tests, never for a database in use.
create function postrider.packed_seqs(p_messages bytea) returns setof bigint
    language plpgsql
    as $$
declare
    v_at int := 0;
    v_fields int;
begin
    while v_at < length(p_messages) loop
        v_fields := ('x' || encode(substring(p_messages from v_at + 1 for 4), 'hex'))::bit(32)::int;
        return next ('x' || encode(substring(p_messages from v_at + 13 for 8), 'hex'))::bit(64)::bigint;
        v_at := v_at + 4;
        for i in 1 .. v_fields loop
            v_at := v_at + 8 + greatest(
                0, ('x' || encode(substring(p_messages from v_at + 5 for 4), 'hex'))::bit(32)::int);
        end loop;
    end loop;
end
$$;

create or replace function postrider.exchange(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns setof postrider.claimed
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_waiting_first boolean;
    h postrider.handed_out;
    l postrider.lease;
begin
    select (select max(e.id) from postrider.lease e where e.consumer_id = -w.consumer_id)
           < (select max(e.id) from postrider.lease e where e.consumer_id = w.consumer_id) into v_waiting_first
    from postrider.worker w where w.id = p_worker;
    if p_limit > 0 and v_waiting_first then
        select e.* into h from postrider.exchange_waiting(p_worker, p_limit, p_deadline => p_deadline, p_idle => false) e;
        if h.lease_id is not null then
            if p_lease is not null then
                h.settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
            end if;
            select * into l from postrider.lease where id = h.lease_id;
            return query select * from postrider.lease_messages(l);
            return next row(h.settled, h.parked, h.lease_id, h.lease_token, null, null, null, null, null, null, null, null,
                            null, null, null, null, null, null, null, null)::postrider.claimed;
            return;
        end if;
    end if;
    -- As if every session had claimed before: the first claim of a worker is made in SQL.
    perform set_config('postrider.worker', p_worker || ' ' || w.consumer_id, false),
            set_config('postrider.looked', w.consumer_id::text, false)
    from postrider.worker w where w.id = p_worker;
    for h in
        select * from postrider.exchange_native(p_worker, p_limit, p_lease, p_token, p_delivered, p_failures, p_deadline)
    loop
        return query
        select null::text, null::int, null::bigint, null::uuid, m.seq, m.id, m.event_type::text, m.event_version,
               m.occurred_at, m.source::text, m.target::text, m.workspace_id, m.payload::json, m.headers::json,
               m.idempotency_key::text, m.ordering_key::text, m.partition_key::text, m.trace_context::text,
               m.content_class::text, m.generation
        from postrider.packed_seqs(h.messages) with ordinality as s(seq, n)
        join postrider.message m on m.seq = s.seq
        order by s.n;
    end loop;
    if h.lease_id is null and h.parked = 0 and p_limit > 0 then
        select h.settled, e.parked, e.lease_id, e.lease_token, e.messages into h
        from postrider.exchange_waiting(p_worker, p_limit, p_deadline => p_deadline) e;
        select * into l from postrider.lease where id = h.lease_id;
        return query select * from postrider.lease_messages(l) where h.lease_id is not null;
    end if;
    return next row(h.settled, h.parked, h.lease_id, h.lease_token, null, null, null, null, null, null, null, null,
                    null, null, null, null, null, null, null, null)::postrider.claimed;
end
$$;

-- settle() must not call exchange_native() again for a report that exchange_native() passes to it.
do $$
begin
    execute replace(pg_get_functiondef('postrider.settle(uuid, bigint, uuid, bigint[], jsonb)'::regprocedure),
                    'FUNCTION postrider.settle(', 'FUNCTION postrider.settle_in_sql(');
end
$$;

create or replace function postrider.settle(
    p_worker uuid, p_lease bigint, p_token uuid, p_delivered bigint[] default null, p_failures jsonb default null
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_settled text;
begin
    if current_setting('postrider.settling', true) = 'on' or p_lease is null or p_token is null then
        return postrider.settle_in_sql(p_worker, p_lease, p_token, p_delivered, p_failures);
    end if;
    perform set_config('postrider.worker', p_worker || ' ' || w.consumer_id, false)
    from postrider.worker w where w.id = p_worker;
    perform set_config('postrider.settling', 'on', true);
    select h.settled into v_settled
    from postrider.exchange_native(p_worker, 0, p_lease, p_token, p_delivered, p_failures) h;
    perform set_config('postrider.settling', 'off', true);
    return v_settled;
end
$$;

-- exchange_ordered() reads the log by the library.
do $$
begin
    execute replace(
        pg_get_functiondef('postrider.exchange_ordered(uuid, int, bigint, uuid, bigint[], jsonb, interval, int, boolean)'::regprocedure),
        'p_native boolean DEFAULT false', 'p_native boolean DEFAULT true');
end
$$;
