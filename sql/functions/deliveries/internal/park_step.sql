-- park_step(lease): how many members of a lease, from the first, reap() or carry_waiting() makes deliveries of in one step. Each becomes a delivery
-- of every handler that accepts it, with a copy of the message: 1000 deliveries or 16 MB per step, 200,000 comparisons of types with those of
-- handlers, and always one message. Without an id it is no lease but messages that wait, with their places in lease.taken.
-- Returns: 0 if the first message alone makes more than 16 MB and the session user neither works for the consumer nor is an operator:
--   workers of other roles do not spend their time on it.
-- Touches: consumer, handler, message (read).
-- postrider: after locate, matches, may_work_for, is_member
create or replace function postrider.park_step(p_lease postrider.lease) returns int
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    l constant postrider.lease := p_lease;
    c constant postrider.consumer := (select o from postrider.consumer o where o.id = abs(l.consumer_id));
    v_handlers int;
    v_types int;
    v_seqs bigint[];
    v_first bigint;  -- bytes of the deliveries of the first message
    v_step int;
begin
    -- A handler that had ended when the lease was claimed, or began later, is not owed its messages, unless they waited.
    select count(distinct h.name) filter (where a.applies), sum(case when a.applies then cardinality(h.event_types) else 1 end)
    into v_handlers, v_types
    from postrider.handler h
    cross join lateral (select h.retired_at is null or l.claimed_at between h.registered_at and h.retired_at as applies) a
    where h.consumer_id = c.id;
    v_seqs := l.members[:greatest(1, least(
        200000 / greatest(v_types, 1), case when v_handlers > 16 or l.id is null then 100 else 1000 / greatest(v_handlers, 1) end))];
    if v_handlers <= 1 and l.id is not null then
        return greatest(cardinality(v_seqs), 1);  -- a claim has at most 16 MB
    end if;
    with message as materialized (
        select s.n, m.event_type, octet_length(concat(m.payload, m.headers, m.metadata)) as bytes
        from unnest(v_seqs, postrider.locate(l, c.channel, v_seqs)) with ordinality as s(seq, xid, n)
        cross join lateral (
            select * from postrider.message m
            where m.channel = c.channel and m.xid = s.xid and m.seq = s.seq
              and m.published_at >= coalesce((l.taken).from_at, l.floor_at) - interval '1 hour'
              and m.published_at < coalesce((l.taken).to_at, l.ceiling_at) + interval '1 hour'
            offset 0) m
    ), kind as materialized (
        select t.event_type, greatest(count(distinct h.name), 1) as handlers
        from (select distinct m.event_type from message m) t
        left join postrider.handler h on h.consumer_id = c.id
            and (h.retired_at is null or l.claimed_at between h.registered_at and h.retired_at)
            and postrider.matches(t.event_type, h.event_types)
        group by 1
    ), cost as (
        select m.n, sum(k.handlers) over (order by m.n) as deliveries, sum(k.handlers * m.bytes) over (order by m.n) as bytes
        from message m join kind k on k.event_type = m.event_type
    )
    select coalesce(max(o.n) filter (where o.deliveries <= 1000 and o.bytes <= 16777216), 1), min(o.bytes) into v_step, v_first
    from cost o;
    return case when v_first <= 16777216 or v_first is null or postrider.may_work_for(c.name)
                     or postrider.is_member('postrider_operator') then v_step else 0 end;
end
$$;
