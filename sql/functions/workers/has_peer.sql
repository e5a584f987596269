-- has_peer(worker): whether another live worker of the same consumer has at least one of the worker's handlers.
-- A worker calls it before it releases messages that it cannot start soon: without a peer, no other worker could start
-- them earlier.
-- Touches: worker (read).
-- postrider: grant worker
create or replace function postrider.has_peer(p_worker uuid) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return exists (
        select from postrider.worker me
        join postrider.worker peer on peer.consumer_id = me.consumer_id and peer.id <> me.id
        where me.id = p_worker and peer.alive_until > clock_timestamp() and peer.handlers && me.handlers);
end
$$;
