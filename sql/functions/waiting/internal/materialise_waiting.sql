-- materialise_waiting(consumer_id, seqs): makes deliveries of messages that wait, for the handlers that take their types now, or for
-- '' when there are none. The caller holds the consumer's claim lock, so that no claim takes them concurrently.
-- Returns: how many messages of p_seqs waited. Touches: waiting, delivery; message, handler (read).
-- postrider: after park, route
create or replace function postrider.materialise_waiting(p_consumer_id int, p_seqs bigint[]) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_channel text := (select c.channel from postrider.consumer c where c.id = p_consumer_id);
    t record;
begin
    with gone as (
        delete from postrider.waiting w
        where w.consumer_id in (p_consumer_id, -p_consumer_id) and w.seq = any (p_seqs)
        returning w.seq, w.xid, w.published_at
    ), message as materialized (
        select m.xid, m.seq, m.published_at, m.event_type
        from gone g
        join postrider.message m on m.channel = v_channel and m.xid = g.xid and m.seq = g.seq and m.published_at = g.published_at
    ), handler as (
        select ty.event_type, coalesce(nullif(postrider.route(p_consumer_id, ty.event_type), '{}'), array['']) as names
        from (select distinct m.event_type::text as event_type from message m) ty
    )
    select array_agg(m.xid) as xids, array_agg(m.seq) as seqs, array_agg(n.name) as handlers,
           min(m.published_at) as from_at, max(m.published_at) as to_at, count(distinct m.seq) as messages
    into t
    from message m join handler h on h.event_type = m.event_type
    cross join lateral unnest(h.names) as n(name);
    if t.seqs is not null then
        perform postrider.park(p_consumer_id, v_channel, t.xids, t.seqs, t.handlers, t.from_at, t.to_at);
    end if;
    return t.messages;
end
$$;
