-- note_waiting(cursor, late, limit): notes the next messages of a segment that wait: those of late committers, or the rest.
-- Returns: how many messages it read, how many of them are for the consumer, and the last one read.
-- Touches: waiting (insert), message (read). The caller's settings pin the plans.
-- postrider: after waiting_late, waiting_range, wants
create or replace function postrider.note_waiting(
    p_cursor postrider.claim_cursor, p_late boolean, p_limit int,
    out read int, out noted int, out xid xid8, out seq bigint
)
    language plpgsql volatile
    as $$
#variable_conflict use_column
declare
    c postrider.claim_cursor := p_cursor;
begin
    with read as materialized (
        (select m.* from postrider.waiting_late(c) m where p_late limit p_limit)
        union all
        (select m.* from postrider.waiting_range(c) m where not p_late order by m.xid, m.seq limit p_limit)
    ), noted as (
        insert into postrider.waiting (consumer_id, priority, keyed, due_at, seq, xid, published_at, place)
        select -c.consumer_id, m.priority, m.keyed, m.due_at, m.seq, m.xid, m.published_at, m.place
        from read m
        where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
        returning 1
    )
    select (select count(*) from read), (select count(*) from noted), last.xid, last.seq
    into read, noted, xid, seq
    from (select 1) as one
    left join (select r.xid, r.seq from read r order by r.xid desc, r.seq desc limit 1) last on true;
end
$$;
