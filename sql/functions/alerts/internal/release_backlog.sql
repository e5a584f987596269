-- release_backlog(consumer_id, key): ends the alert of a long queue behind an ordering key with another one, key_released.
-- Returns: 1, or 0 when another session has just done it or is about to.
-- Touches: key_backlog, alert, alert_sending; consumer (read).
-- postrider: after send_alerts
create or replace function postrider.release_backlog(p_consumer_id int, p_key text) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_alert bigint;
begin
    with ended as (
        delete from postrider.key_backlog b
        where (b.consumer_id, b.key) in (select o.consumer_id, o.key from postrider.key_backlog o
                                         where o.consumer_id = p_consumer_id and o.key = p_key for update skip locked)
        returning b.alert_id
    )
    insert into postrider.alert (kind, at, event_id, event_type, source, target, handler_name, last_error, consumer, channel, fingerprint)
    select 'key_released', clock_timestamp(), a.event_id, a.event_type, a.source, a.target, coalesce(a.handler_name, ''),
           format('messages of the ordering key %s are handled again', p_key), c.name, c.channel, md5(p_key)
    from ended e
    join postrider.consumer c on c.id = p_consumer_id
    left join postrider.alert a on a.id = e.alert_id
    returning id into v_alert;
    if v_alert is null then
        return 0;
    end if;
    perform postrider.send_alerts(array[v_alert]);
    return 1;
end
$$;
