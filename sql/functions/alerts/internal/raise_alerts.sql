-- raise_alerts(deliveries): raises an alert for each of these deliveries, whose cycle has just failed for good.
-- Inserted in the transaction that makes the dead letter: exactly one alert per cycle, with or without workers that send it.
-- Touches: alert, alert_sending (insert); delivery, consumer (read).
-- postrider: after send_alerts
create or replace function postrider.raise_alerts(p_deliveries bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_raised bigint[];
begin
    with raised as (
        insert into postrider.alert (
            at, event_id, event_type, source, target, handler_name, last_error, attempts, consumer, channel, delivery_id,
            cycle, fingerprint, error_class)
        select d.dead_at, d.message_id, d.event_type, d.source, d.target, d.handler, d.last_error, d.attempts, c.name,
               c.channel, d.id, d.cycle, d.fingerprint, d.error_class
        from postrider.delivery d
        join postrider.consumer c on c.id = d.consumer_id
        where d.id = any (p_deliveries)
        on conflict on constraint alert_cycle_key do nothing
        returning id
    )
    select array_agg(id) into v_raised from raised;
    perform postrider.send_alerts(v_raised);
end
$$;
