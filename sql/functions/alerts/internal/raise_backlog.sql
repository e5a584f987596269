-- raise_backlog(consumer_id, key, followers): raises the alert of a long queue behind an ordering key, with the message that the queue waits for.
-- Returns: the alert; null when another session has just raised it, or is about to and does not commit within 100 ms.
-- Touches: key_backlog, alert, alert_sending; the tables of the view blocked_keys (read).
-- postrider: after send_alerts, blocked_keys
create or replace function postrider.raise_backlog(p_consumer_id int, p_key text, p_followers bigint) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'
    as $$
declare
    c postrider.consumer;
    h postrider.blocked_keys;
    d postrider.delivery;
    v_alert bigint := nextval('postrider.alert_id_seq');
begin
    begin
        insert into postrider.key_backlog (consumer_id, key, alert_id, alerted_at) values (p_consumer_id, p_key, v_alert, clock_timestamp())
        on conflict do nothing;
    exception when lock_not_available then
        return null;
    end;
    if not found then
        return null;
    end if;
    select * into strict c from postrider.consumer o where o.id = p_consumer_id;
    select * into h from postrider.blocked_keys b where b.consumer = c.name and b.channel = c.channel and b.key = p_key;
    select * into d from postrider.delivery e where e.id = h.delivery_id;
    insert into postrider.alert (id, kind, at, event_id, event_type, source, target, handler_name, last_error, attempts, consumer, channel,
                                 delivery_id, fingerprint, error_class)
    overriding system value
    values (v_alert, 'key_backlog', clock_timestamp(), h.id, d.event_type, d.source, d.target, coalesce(h.handler, ''),
           format('%s messages wait for the ordering key %s: %s', p_followers, p_key,
                  case h.status when 'failed' then format('the dead letter %s holds it', h.delivery_id)
                                when 'pending' then format('message %s is retried', h.id)
                                when 'in_flight' then format('message %s runs', h.id)
                                else 'its first message is about to start' end),
           h.attempts, c.name, c.channel, case when h.status = 'failed' then h.delivery_id end, md5(p_key), h.error_class);
    perform postrider.send_alerts(array[v_alert]);
    return v_alert;
end
$$;
