-- in_outage(consumer_id, handler, state, since): whether a failure of a handler says nothing about the message, because its
-- circuit is open or ramping up, or on trial without a success since then.
-- postrider: after succeeded_since
create or replace function postrider.in_outage(
    p_consumer_id int, p_handler text, p_state text, p_since timestamptz
) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return p_state in ('open', 'ramp')
        or (p_state = 'trial' and not postrider.succeeded_since(p_consumer_id, p_handler, p_since));
end
$$;
