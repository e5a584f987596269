-- alert_backlogs(): raises the alert key_backlog for every ordering key with at least as many followers as set_followers_alert() allows. The
-- alert names the message that they wait for. It stays until fewer than half of that number wait; then key_released ends it. Producers
-- choose the keys, and maintain() of every worker calls this function. So a call raises at most 20 alerts and searches for at most 300 ms,
-- in consumers in random order, and at most 100 keys of a consumer have an alert at a time.
-- Returns: how many it raised, of both kinds.
-- Touches: key_backlog, alert, alert_sending; follower, consumer, setting and the tables of the view blocked_keys (read).
-- postrider: after long_queues, raise_backlog, release_backlog
create or replace function postrider.alert_backlogs() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_raised_most constant int := 20;
    v_open_most constant int := 100;
    v_until constant timestamptz := clock_timestamp() + interval '300 ms';
    v_count int := 0;
    v_most int;  -- followers of a key
    c record;
    k record;
begin
    for c in
        select o.id, coalesce(o.followers_alert, (select s.value::int from postrider.setting s where s.name = 'followers_alert')) as most
        from postrider.consumer o
        where o.ordered or exists (select from postrider.key_backlog b where b.consumer_id = o.id)
        order by random()
    loop
        -- Half of the number (hysteresis): otherwise a key near the limit would raise one alert after the other.
        v_most := (c.most + 1) / 2;
        for k in select b.key from postrider.key_backlog b where b.consumer_id = c.id order by random() loop
            exit when clock_timestamp() > v_until or v_count >= v_raised_most;
            if not exists (select from postrider.follower f where f.consumer_id = c.id and f.key = k.key offset v_most - 1) then
                v_count := v_count + postrider.release_backlog(c.id, k.key);
            end if;
        end loop;
        exit when clock_timestamp() > v_until or v_count >= v_raised_most;
        for k in
            select q.key, q.followers from postrider.long_queues(c.id, c.most) q
            where not exists (select from postrider.key_backlog b where b.consumer_id = c.id and b.key = q.key)
            order by q.followers desc
            limit greatest(0, least(v_raised_most - v_count, v_open_most - (select count(*) from postrider.key_backlog b where b.consumer_id = c.id)))
        loop
            v_count := v_count + (postrider.raise_backlog(c.id, k.key, k.followers) is not null)::int;
        end loop;
    end loop;
    return v_count;
end
$$;
