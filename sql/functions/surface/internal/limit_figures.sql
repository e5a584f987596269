-- limit_figures(): of handlers with a limit how many runs its workers can have with the messages that they hold, and how many messages
-- are throttled; these are counted up to rows_counted(). Of 1000 handlers at most, those of the oldest consumers: a role can limit a million, and the
-- figures are read every few seconds.
-- Touches: handler_limit, consumer, waiting and the tables of limit_running() (read).
-- postrider: after limit_running, rows_counted
create or replace function postrider.limit_figures() returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (
        with shown as materialized (
            select h.consumer_id, h.handler from postrider.handler_limit h order by h.consumer_id, h.handler limit 1000
        ), most as materialized (
            select postrider.rows_counted(count(*)) as n from shown
        ), run as materialized (
            select o.consumer_id, r.handler, r.running
            from (select distinct s.consumer_id from shown s) o cross join lateral postrider.limit_running(o.consumer_id) r
        )
        select coalesce(jsonb_agg(jsonb_build_object(
                   'consumer', c.name, 'channel', c.channel, 'handler', l.handler, 'running', r.running, 'throttled', t.messages)
                   order by c.name, c.channel, l.handler), '[]')
        from shown l
        join postrider.consumer c on c.id = l.consumer_id
        cross join most
        join run r on r.consumer_id = l.consumer_id and r.handler = l.handler
        cross join lateral (
            select count(*) as messages
            from (select from postrider.waiting w
                  where w.consumer_id = -c.id and w.limit_key >= l.handler || ' ' and w.limit_key < l.handler || '!' limit most.n) w) t);
end
$$;
