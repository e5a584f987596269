-- tell_of_replay(): notifies all workers, sleeping or busy, that there is a replay to move, when the caller commits.
-- Not by ring(), which does not notify busy workers: they look for replays less often than for messages.
create or replace function postrider.tell_of_replay() returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select pg_notify(channel, 'replay')
    from (select distinct c.channel from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
          where w.alive_until > clock_timestamp()) as working
    $$;
