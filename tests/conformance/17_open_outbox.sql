-- The rules of the Open Outbox Specification on which the chapter on retries depends.
\ir include/check.sql

-- check: an_event_has_the_required_and_the_optional_fields
do $$
declare
    v_missing text;
begin
    select string_agg(f, ', ') into v_missing
    from unnest('{event_id,event_type,payload,state,created_at,partition_key,ordering_key,metadata,headers,attempts,last_error,available_at,
        claimed_at,claimed_by,published_at}'::text[]) f
    where not exists (select from pg_attribute where attrelid = 'postrider.v_open_outbox'::regclass and attname = f);
    assert v_missing is null, v_missing;
    assert (select array_agg(distinct s order by s) from (
                select unnest(regexp_matches(pg_get_viewdef('postrider.v_open_outbox'::regclass), '''([A-Z]+)''::text', 'g')) s) x)
        = '{CLAIMED,DEAD,PENDING,PUBLISHED}';
end
$$;

-- check: every_transition_is_one_of_the_six [open-outbox]
create table if not exists promise.seen (old text, new text);
create or replace function promise.see() returns trigger language plpgsql security definer as $$
begin
    if tg_op = 'UPDATE' and old.status <> new.status then
        insert into promise.seen values (old.status, new.status);
    end if;
    return null;
end $$;
create or replace trigger see after update on postrider.delivery for each row execute function promise.see();
do $$
declare
    w uuid := promise.profile_worker('six');
    c record;
begin
    insert into postrider.message (channel, event_type, priority) select 'six', 'x', 1 from generate_series(1, 40);
    commit;
    perform promise.park(w);
    for i in 1..300 loop
        perform promise.due_now('six');
        for c in select * from postrider.claim_due(w, 3) loop
            perform postrider.settle_due(w, promise.outcomes(c.delivery_id, c.lease_token,
                (array['delivered', 'transient', 'terminal', 'snooze', 'interrupted', 'transient', 'transient'])[1 + floor(random() * 7)::int]));
        end loop;
        if i % 7 = 0 then
            perform postrider.claim_due(w, 2);
            update postrider.delivery set deadline = '-infinity' where status = 'in_flight';
            perform postrider.reap();
        end if;
    end loop;
    assert (select array_agg(distinct old || '>' || new) from promise.seen)
        <@ '{pending>in_flight,in_flight>delivered,in_flight>pending,in_flight>failed,failed>pending,delivered>pending}';
    assert (select count(distinct old || new) from promise.seen) = 4;
end
$$;
drop trigger see on postrider.delivery;

-- check: claim_fields_are_set_exactly_while_claimed [open-outbox]
do $$
declare
    w uuid := promise.profile_worker('fields');
begin
    perform promise.publish('fields', 4);
    insert into postrider.message (channel, event_type, priority) values ('fields', 'x', 1), ('fields', 'x', 1), ('fields', 'x', 1);
    commit;
    perform promise.first_run(w, 'transient'), promise.first_run(w, 'terminal'), promise.first_run(w, 'delivered');
    perform postrider.claim(w), postrider.claim_due(w, 1), promise.due_run(w, 'delivered');
    assert (select count(distinct state) from postrider.v_open_outbox where consumer = 'reader') = 4;
    assert not exists (select from postrider.v_open_outbox where (claimed_at is not null) <> (state = 'CLAIMED')
                       or (claimed_by is not null) <> (state = 'CLAIMED') or (published_at is not null) <> (state = 'PUBLISHED'));
end
$$;

-- check: a_lease_that_ends_makes_the_event_claimable_again [open-outbox]
do $$
declare
    w uuid := promise.profile_worker('again');
    other uuid := promise.profile_worker('again');
    v record;
begin
    perform postrider.publish('x', p_channel => 'again');
    commit;
    perform postrider.claim(w, 1, '1 hour');
    assert not exists (select from postrider.claim(other)) and not exists (select from postrider.claim_due(other));
    update postrider.lease set deadline = '-infinity' where worker_id = w;
    perform postrider.reap();
    select * into strict v from postrider.claim_due(other);
    assert v.attempts = 1;
end
$$;

-- check: event_ids_are_unique_and_sort_by_time
do $$
declare
    a uuid := postrider.publish('x');
    b uuid;
begin
    perform pg_sleep(0.002);
    b := postrider.publish('x');
    assert a < b and substr(a::text, 15, 1) = '7';
end
$$;

-- check: the_event_type_is_opaque_and_the_payload_too
do $$
declare
    w uuid := promise.worker('opaque');
begin
    perform postrider.publish('Any.Thing/You:like.v3', '[1, "text", null]', p_channel => 'opaque');
    commit;
    assert (select (event_type, payload::jsonb) = ('Any.Thing/You:like.v3', '[1, "text", null]'::jsonb) from postrider.claim(w));
end
$$;

-- check: metadata_stays_inside_and_headers_travel
do $$
declare
    w uuid := promise.worker('inside');
    v jsonb;
begin
    perform postrider.publish('x', p_channel => 'inside', p_headers => '{"h": "1"}', p_metadata => '{"internal": true}');
    commit;
    select to_jsonb(c) into strict v from postrider.claim(w) c;
    assert v -> 'headers' = '{"h": "1"}' and not v ? 'metadata';
    assert (promise.row_of('inside')).metadata = '{"internal": true}';
end
$$;

-- check: attempts_total_never_shrinks
do $$
declare
    w uuid := promise.worker('total');
    v_last int := 0;
begin
    perform postrider.publish('x', p_channel => 'total');
    commit;
    perform promise.first_run(w, 'transient');
    for i in 1..3 loop
        assert (promise.row_of('total')).attempts_total > v_last;
        v_last := (promise.row_of('total')).attempts_total;
        perform promise.due_now('total');
        perform promise.due_run(w, 'transient');
    end loop;
end
$$;
