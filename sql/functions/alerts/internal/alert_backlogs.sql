-- alert_backlogs(): raises an alert for every ordering key with as many followers as the setting followers_alert says, at most once an hour.
-- Returns: how many it raised. Touches: alert, alert_sending (insert); follower, message, consumer, setting (read).
-- postrider: after send_alerts
create or replace function postrider.alert_backlogs() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_most int := (select s.value::int from postrider.setting s where s.name = 'followers_alert');
    v_raised bigint[];
begin
    with long as materialized (
        select f.consumer_id, f.key, count(*) as followers, min(f.seq) as first
        from postrider.follower f group by 1, 2 having count(*) >= v_most
    ), raised as (
        insert into postrider.alert (kind, at, event_id, event_type, source, target, handler_name, last_error, consumer, channel,
                                     fingerprint)
        select 'key_backlog', clock_timestamp(), m.id, m.event_type, m.source, m.target, '',
               format('%s messages wait behind the head of the ordering key %s', l.followers, l.key), c.name, c.channel, md5(l.key)
        from long l
        join postrider.consumer c on c.id = l.consumer_id
        join postrider.follower f on f.consumer_id = l.consumer_id and f.key = l.key and f.seq = l.first
        join postrider.message m on m.channel = c.channel and m.xid = f.xid and m.seq = f.seq and m.published_at = f.published_at
        where not exists (select from postrider.alert a
                          where a.kind = 'key_backlog' and a.consumer = c.name and a.channel = c.channel and a.fingerprint = md5(l.key)
                            and a.at > clock_timestamp() - interval '1 hour')
        returning id
    )
    select array_agg(r.id) into v_raised from raised r;
    perform postrider.send_alerts(v_raised);
    return coalesce(cardinality(v_raised), 0);
end
$$;
