-- set_aside(consumer_id, mine, channel, xid, seq, floor, ceiling): parks a message for those handlers that cannot have
-- it now: it is due later or of another than the default priority, the worker does not have the handler, or
-- it was published to this consumer by name although none of its handlers takes the type. p_mine are the
-- worker's handlers; floor and ceiling are log_range()'s.
-- Returns: whether the worker has anything to do with the message now, and how many deliveries were made.
-- Touches: delivery, message and handler (read).
-- postrider: after handlers_for, park
create or replace function postrider.set_aside(
    p_consumer_id int, p_mine text[], p_channel text, p_xid xid8, p_seq bigint,
    p_floor_at timestamptz, p_ceiling_at timestamptz, out ours boolean, out parked int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_handlers text[];
    v_ready boolean;
    m postrider.message;
begin
    select l.* into strict m from postrider.message l
    where l.channel = p_channel and l.xid = p_xid and l.seq = p_seq
      and l.published_at >= p_floor_at - interval '1 hour' and l.published_at < p_ceiling_at + interval '1 hour';
    -- Under the consumer's lock, so these are the handlers it is owed to for ever.
    v_handlers := postrider.handlers_for(p_consumer_id, m.event_type, m.xid, m.seq);
    v_ready := m.priority = 0 and (m.available_at is null or m.available_at <= clock_timestamp());
    ours := v_ready and v_handlers && p_mine;
    select count(*) into parked
    from postrider.park(p_consumer_id, m,
        case when v_handlers = '{}' then array['']
             when v_ready then array(select unnest(v_handlers) except select unnest(p_mine))
             else v_handlers end);
end
$$;
