-- next_due(worker): when the next delivery or message that waits comes due for a worker, or the next probe of a handler whose
-- circuit is open: the earlier one of next_times().
-- Returns: an instant, possibly past; null when nothing waits.
-- postrider: grant worker
-- postrider: after next_times
create or replace function postrider.next_due(p_worker uuid) returns timestamptz
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return (select least(n.delivery_at, n.waiting_at) from postrider.next_times(p_worker) n);
end
$$;
