-- place_of(consumer_id): where a consumer's cursor is in the log, by its newest lease.
-- Touches: lease (read).
create or replace function postrider.place_of(p_consumer_id int) returns postrider.place
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_place postrider.place;
begin
    select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq), greatest(l.to_xid, pg_snapshot_xmax(l.done_snapshot)),
           case when l.to_xid >= pg_snapshot_xmax(l.done_snapshot) then l.to_seq else 0 end, l.floor_at - interval '1 hour'
    into v_place
    from postrider.lease l where l.consumer_id = p_consumer_id order by l.id desc limit 1;
    return v_place;
end
$$;
