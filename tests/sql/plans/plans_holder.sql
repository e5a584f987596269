-- Promises about consumers that were created while an old transaction was open, counted in buffers:
--   whether one of them still needs a partition of the log costs as much with ten thousand messages before its cursor as without
--   and so does the list of consumers
--   an open lease of many messages beside many others of its transactions is compared with them in time
--   such a consumer needs the partition as soon as the old transaction has published into it
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

call promise.fill('covered', 1, 10000);
-- As if the transaction before the messages were still open: the newest lease of a consumer is its cursor.
select min(m.xid)::text::bigint - 1 as old_xid from postrider.message m \gset
select count(postrider.create_consumer('young' || n, 'covered')) from generate_series(1, 20) n \g /dev/null
update postrider.lease
set done_snapshot = format('%s:%s:%1$s', :old_xid, pg_snapshot_xmax(done_snapshot))::pg_snapshot,
    open_snapshot = format('%s:%s:%1$s', :old_xid, pg_snapshot_xmax(open_snapshot))::pg_snapshot;
create function promise.partition() returns text
    language sql
    as $$ select name from postrider.partitions() where now() >= from_at and now() < to_at $$;
do $$
declare
    v_holder bigint;
    v_list bigint;
begin
    assert postrider.partition_holder(promise.partition()) is null, postrider.partition_holder(promise.partition());
    for i in 1..3 loop
        v_holder := least(v_holder, promise.buffers('select postrider.partition_holder(promise.partition())'));
        v_list := least(v_list, promise.buffers('select * from postrider.consumers'));
    end loop;
    raise notice 'the holder of a partition touches % buffers, the list of consumers %', v_holder, v_list;
    assert v_holder <= 20 * 60, v_holder;
    assert v_list <= 20 * 100, v_list;
end
$$;
-- a lease of 20000 messages that are not in the partition, among 20000 that are
select promise.worker('large', p_consumer => 'large') as large \gset
call promise.fill('large', 4, 10000);
select promise.drain(:'large') \g /dev/null
create temporary table removed as select seq from postrider.message where channel = 'large' and seq % 2 = 0;
delete from postrider.message where channel = 'large' and seq % 2 = 0;
update postrider.lease l
set finished_at = null, from_xid = '0', members = array(select r.seq from removed r order by 1)
where l.consumer_id = (select id from postrider.consumer where name = 'large')
  and l.id = (select max(o.id) from postrider.lease o where o.consumer_id = l.consumer_id and o.to_xid > '3');
do $$
declare
    v_began constant timestamptz := clock_timestamp();
begin
    assert postrider.partition_holder(promise.partition()) is null, postrider.partition_holder(promise.partition());
    assert clock_timestamp() - v_began < interval '0.7 s', clock_timestamp() - v_began;
end
$$;
-- one message of the old transaction
update postrider.message m set xid = :'old_xid'::xid8 where m.seq = (select min(seq) from postrider.message);
do $$
begin
    assert postrider.partition_holder(promise.partition()) like 'young%', postrider.partition_holder(promise.partition());
    assert (select count(behind_since) from postrider.consumers) = 0;  -- none of them has a handler
end
$$;
