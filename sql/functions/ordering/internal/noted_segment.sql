-- noted_segment(consumer_id): the end of the segment of the log that an ordered consumer is reading: followers that were noted from it have to wait
-- until it was read completely. The highest transaction id there is when it was.
-- Touches: lease (read).
create or replace function postrider.noted_segment(p_consumer_id int) returns xid8
    language plpgsql stable
    as $$
begin
    return (
        select case when l.to_xid >= pg_catalog.pg_snapshot_xmax(l.open_snapshot) then '18446744073709551615'
                    else pg_catalog.pg_snapshot_xmax(l.open_snapshot) end
        from postrider.lease l
        where l.consumer_id = p_consumer_id
        order by l.id desc
        limit 1);
end
$$;
