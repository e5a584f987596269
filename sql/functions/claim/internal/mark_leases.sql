-- mark_leases(consumer_id): writes a mark with the open leases of a consumer, if many leases were made since the last mark. The negative of the
-- consumer's id means its leases of messages that waited. The caller holds the consumer's claim lock, so no lease is made concurrently.
-- Touches: lease_mark (insert); lease (read).
create or replace function postrider.mark_leases(p_consumer_id int) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    v_newest bigint := (select l.id from postrider.lease l where l.consumer_id = p_consumer_id order by l.id desc limit 1);
begin
    if v_newest > 50 + coalesce((select m.upto from postrider.lease_mark m
                                 where m.consumer_id = p_consumer_id order by m.upto desc limit 1), 0) then
        insert into postrider.lease_mark (consumer_id, upto, open)
        values (p_consumer_id, v_newest,
                array(select o.id from postrider.open_leases o where o.consumer_id = abs(p_consumer_id) and o.stream = p_consumer_id order by o.id));
    end if;
end
$$;
