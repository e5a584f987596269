-- place_of(consumer_id, at): where a consumer's cursor was in the log at an instant, by default where it is: by the newest lease claimed
-- until then, or by the first one when all are newer.
-- Returns: null fields when the consumer has no lease.
-- Touches: lease (read).
create or replace function postrider.place_of(p_consumer_id int, p_at timestamptz default 'infinity') returns postrider.place
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    l postrider.lease;
begin
    select * into l from postrider.lease where consumer_id = p_consumer_id and claimed_at <= p_at order by id desc limit 1;
    if l.id is null then
        select * into l from postrider.lease where consumer_id = p_consumer_id order by id limit 1;
    end if;
    return row(row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position,
               greatest(l.to_xid, pg_snapshot_xmax(l.done_snapshot)),
               case when l.to_xid >= pg_snapshot_xmax(l.done_snapshot) then l.to_seq else 0 end, l.floor_at - interval '1 hour');
end
$$;
