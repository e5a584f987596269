-- Promises about a lease of an ordered consumer that is lost and taken back in steps:
--   the messages of a key start in their order, also when the first one ends between two steps
\ir ../include/promises.sql
select promise.worker('lost', p_consumer => 'other') \g /dev/null
select gen_random_uuid() as dead, gen_random_uuid() as next \gset
select postrider.register_worker(:'dead', 'lost', '[{"name": "lost.all", "event_types": ["*"]}]', 'lost', p_ordering => 'hold') \g /dev/null
select postrider.publish_many(jsonb_agg(jsonb_build_object(
    'channel', 'lost', 'event_type', 'e', 'payload', n, 'ordering_key', case when n = 1100 then 'other' else 'key' end) order by n))
from generate_series(1, 1500) n \g /dev/null
select postrider.exchange_ordered(:'dead', 2000, p_chain => 2000) \g /dev/null
select postrider.exchange_ordered(:'dead', 2000, p_chain => 2000) \g /dev/null
select postrider.register_worker(:'next', 'lost', '[{"name": "lost.all", "event_types": ["*"]}]', 'lost', p_ordering => 'hold') \g /dev/null
select set_config('promise.dead', :'dead', false), set_config('promise.next', :'next', false) \g /dev/null

-- Runs the delivery that is due, if there is one. Returns: its number.
create function promise.run_due() returns text
    language sql
    as $$
    with due as materialized (select * from postrider.claim_due(current_setting('promise.next')::uuid, 10))
    select string_agg(d.payload::text, ' ' order by d.delivery_id)
    from due d
    cross join lateral postrider.settle_due(current_setting('promise.next')::uuid, jsonb_build_array(jsonb_build_object(
        'delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'delivered')))
    $$;
create function promise.followers() returns text
    language sql
    as $$ select concat_ws(' ', count(*), min(m.payload::text::int)) from postrider.follower f join postrider.message m on m.seq = f.seq $$;
do $$
begin
    assert (select cardinality(members) = 1500 from postrider.lease where worker_id = current_setting('promise.dead')::uuid and finished_at is null);
    update postrider.worker set alive_until = '-infinity' where id = current_setting('promise.dead')::uuid;
    assert (select leases = 1 from postrider.reap());
    assert promise.run_due() = '1';
    assert promise.followers() = '999 2', promise.followers();
    -- The key goes on with 2 and not with 1001, the first message of the second step. The other key begins in it.
    assert (select leases = 1 from postrider.reap());
    assert promise.run_due() = '1100';
    assert promise.followers() = '1498 2', promise.followers();
    assert (select array_agg(m.payload::text) = '{2}' from postrider.follower f join postrider.message m on m.seq = f.seq where f.ready);
end
$$;
