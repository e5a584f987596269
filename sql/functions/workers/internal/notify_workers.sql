-- notify_workers(note): notifies all workers, sleeping or busy, of work that is not a message, when the caller commits. Not
-- ring(), which does not notify busy workers: they check for such work less often than for messages.
-- p_note: 'replay', or 'schedule'.
create or replace function postrider.notify_workers(p_note text) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
    select pg_notify(channel, p_note)
    from (select distinct c.channel from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
          where w.alive_until > clock_timestamp()) as working
    $$;
