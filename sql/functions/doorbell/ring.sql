-- ring(channel): wakes the workers that sleep on a channel when the caller's transaction commits.
-- The same protocol as the domain doorbell: no NOTIFY while no worker sleeps. On a channel with wake 'always' workers
-- sleep without holding the doorbell, so every call notifies.
-- Touches: channel (read).
-- postrider: grant worker, operator
-- postrider: after lock_doorbell
create or replace function postrider.ring(p_channel text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not pg_try_advisory_xact_lock_shared(postrider.lock_doorbell(), hashtext(p_channel))
       or exists (select from postrider.channel where name = p_channel and wake = 'always') then
        perform pg_notify(p_channel, '');
    end if;
end
$$;
