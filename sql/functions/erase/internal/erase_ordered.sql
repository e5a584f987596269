-- erase_ordered(ids): takes messages that are about to be erased out of the table follower, and discards those of their dead letters that hold an
-- ordering key; the next messages of these keys start. Alerts of long queues do not name the keys any more.
-- The caller holds lock_claims_of() them.
-- Touches: follower, delivery, key_backlog, alert and the tables that next_followers() touches; message, consumer (read).
-- postrider: after next_followers
create or replace function postrider.erase_ordered(p_ids uuid[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keys postrider.ordered_key[];
begin
    with ordered as materialized (
        select c.id, m.ordering_key::text as key, m.seq
        from postrider.message m join postrider.consumer c on c.channel = m.channel
        where m.id = any (p_ids) and m.ordering_key is not null
    ), gone as (
        delete from postrider.follower f using ordered o
        where f.consumer_id = o.id and f.key = o.key and f.seq = o.seq
        returning f.consumer_id, f.key
    ), held as (
        update postrider.delivery d set deleted_at = clock_timestamp()
        where d.message_id = any (p_ids) and d.heads and d.status = 'failed' and d.deleted_at is null
        returning d.consumer_id, d.ordering_key
    ), named as (
        update postrider.alert a set last_error = 'erased'
        from postrider.key_backlog b join ordered o on b.consumer_id = o.id and b.key = o.key
        where a.id = b.alert_id
    )
    select array_agg(distinct row(k.consumer_id, k.key)::postrider.ordered_key) into v_keys
    from (select g.consumer_id, g.key from gone g union all select h.consumer_id, h.ordering_key from held h) k;
    perform postrider.next_followers(k.consumer_id, k.keys)
    from (select k.consumer_id, array_agg(k.key) as keys from unnest(v_keys) k group by 1 order by 1) k;
    -- The alert has ended when no message waits for the key.
    delete from postrider.key_backlog b
    using unnest(v_keys) k
    where b.consumer_id = k.consumer_id and b.key = k.key
      and not exists (select from postrider.follower f where f.consumer_id = k.consumer_id and f.key = k.key);
end
$$;
