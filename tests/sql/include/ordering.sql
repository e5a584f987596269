-- Ordered consumers and their messages.

create function promise.ordered(p_channel text, p_ordering text default 'hold', p_handlers jsonb default
    '[{"name": "test.all", "event_types": ["*"], "max_attempts": 2, "retry": {"curve": "immediate"}}]') returns uuid
    language plpgsql
    as $$
declare
    v_worker uuid := gen_random_uuid();
begin
    perform postrider.register_worker(v_worker, 'reader', p_handlers, p_channel, p_ordering => p_ordering);
    return v_worker;
end
$$;

-- keyed('c', 'a1 a2 b1'): publishes messages named a1, a2 and b1 with the keys a, a and b.
create function promise.keyed(p_channel text, p_names text, p_type text default 'a') returns void
    language sql
    as $$
    select postrider.publish(p_type, jsonb_build_object('n', n), p_channel => p_channel, p_ordering_key => nullif(left(n, 1), '-'))
    from regexp_split_to_table(p_names, ' ') n
    $$;

-- due(worker, outcome): claims due deliveries and settles them; returns their names.
create function promise.due(p_worker uuid, p_outcome text default 'delivered') returns text
    language plpgsql
    as $$
declare
    v_names text;
    v_outcomes jsonb;
begin
    select string_agg(d.payload ->> 'n', ' ' order by d.payload ->> 'n'),
           jsonb_agg(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'outcome', p_outcome, 'error', 'no'))
    into v_names, v_outcomes from postrider.claim_due(p_worker, 100) d;
    perform postrider.settle_due(p_worker, v_outcomes) where v_outcomes is not null;
    return coalesce(v_names, '');
end
$$;

-- report(worker, delivered, failures): settles messages of open leases. p_failures: 'a2 transient, a3 interrupted'; null: everything else is delivered.
create function promise.report(p_worker uuid, p_delivered text default null, p_failures text default '') returns text
    language sql
    as $$
    select string_agg(postrider.settle(
        p_worker, l.id, l.token,
        case when p_delivered is not null then array(
            select m.seq from postrider.message m where m.seq = any (l.members) and m.payload ->> 'n' = any (string_to_array(p_delivered, ' '))) end,
        (select jsonb_agg(jsonb_build_object('seq', m.seq, 'outcome', split_part(f, ' ', 2), 'error', 'no'))
         from regexp_split_to_table(p_failures, ', ') f join postrider.message m on m.payload ->> 'n' = split_part(f, ' ', 1)
         where m.seq = any (l.members))), ',')
    from (select * from postrider.lease where worker_id = p_worker and finished_at is null and members <> '{}' order by id) l
    $$;

-- followers(channel): their names; one that may start is marked.
create function promise.followers(p_channel text) returns text
    language sql
    as $$
    select coalesce(string_agg(m.payload ->> 'n' || case when f.ready then '!' else '' end, ' ' order by f.key, f.ready desc, f.seq), '')
    from postrider.follower f join postrider.message m on m.seq = f.seq where m.channel = p_channel
    $$;
