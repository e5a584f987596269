-- alert_backlogs(): raises an alert, key_backlog, for each ordering key that too many messages wait for: as many as set_followers_alert() says.
-- It names the message that they wait for. There is one until fewer than half of that number wait; then key_released ends it.
-- Returns: how many it raised, of both kinds.
-- Touches: key_backlog, alert, alert_sending; follower, consumer, setting and the tables of the view blocked_keys (read).
-- postrider: after send_alerts, blocked_keys, raise_backlog
create or replace function postrider.alert_backlogs() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_most int := (select s.value::int from postrider.setting s where s.name = 'followers_alert');
    v_raised bigint[];
    k record;
begin
    with ended as (
        -- Half: a key about the limit does not raise one alert after the other.
        delete from postrider.key_backlog b using postrider.consumer c
        where c.id = b.consumer_id
          and (select count(*) from (select from postrider.follower f where f.consumer_id = b.consumer_id and f.key = b.key
                                     limit (coalesce(c.followers_alert, v_most) + 1) / 2) f)
              < (coalesce(c.followers_alert, v_most) + 1) / 2
        returning c.name, c.channel, b.key, b.alert_id
    ), raised as (
        insert into postrider.alert (kind, at, event_id, event_type, source, target, handler_name, last_error, consumer, channel,
                                     fingerprint)
        select 'key_released', clock_timestamp(), a.event_id, a.event_type, a.source, a.target, coalesce(a.handler_name, ''),
               format('messages of the ordering key %s are handled again', e.key), e.name, e.channel, md5(e.key)
        from ended e
        left join postrider.alert a on a.id = e.alert_id
        returning id
    )
    select coalesce(array_agg(r.id), '{}') into v_raised from raised r;
    perform postrider.send_alerts(v_raised);
    for k in
        select c.id, c.name, c.channel, l.key, l.followers
        from postrider.consumer c
        cross join lateral (
            select f.key, count(*) as followers from postrider.follower f
            where f.consumer_id = c.id
            group by f.key
            having count(*) >= coalesce(c.followers_alert, v_most)) l
        where c.ordered
          -- A consumer with few followers is passed over soon.
          and exists (select from postrider.follower f where f.consumer_id = c.id offset coalesce(c.followers_alert, v_most) - 1)
          and not exists (select from postrider.key_backlog b where b.consumer_id = c.id and b.key = l.key)
    loop
        v_raised := v_raised || postrider.raise_backlog(k.id, k.key, k.followers);
    end loop;
    return cardinality(v_raised);
end
$$;
