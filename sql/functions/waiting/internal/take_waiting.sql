-- take_waiting(consumer_id, limit, idle, now, continue): takes due messages out of the table waiting, by priority and then by due time.
-- p_idle false: none of a priority below 0.
-- p_continue: no message began to wait since the previous claim, so this one may begin where that one ended (waiting_mark()). No
-- priority starves: a tenth of every claim, or every tenth claim when it is for fewer than ten messages, goes to the priority whose
-- first message has been due for longest, if that is a minute or more.
-- Returns: null fields when nothing is due. places: where the messages' rows are, as far as it is known. up_to: after a large claim that
--   was full, its last message; up to there, no message of that priority is left.
-- The caller holds the consumer's claim lock, so no row is taken twice.
-- Touches: waiting (delete), lease (read). The caller's settings pin the plans.
-- postrider: after waiting_mark, waiting_levels
create or replace function postrider.take_waiting(
    p_consumer_id int, p_limit int, p_idle boolean, p_now timestamptz, p_continue boolean,
    out taken postrider.taken, out places tid[], out up_to postrider.waiting_place
)
    language plpgsql volatile
    as $$
declare
    v_tenth constant int := greatest(p_limit / 10, 1);
    v_rows tid[];
    v_overdue boolean;
    m postrider.waiting_place := postrider.waiting_mark(p_consumer_id, p_continue);
begin
    with level as materialized (
        select * from postrider.waiting_levels(p_consumer_id, m)
    ), overdue as materialized (
        select l.* from level l
        where l.due_at <= p_now - interval '1 minute' and (p_limit >= 10 or pg_catalog.random() < 0.1)
        order by l.due_at limit 1
    ), share (priority, due_at, seq, skip, most) as (
        select o.*, 0, v_tenth from overdue o
        union all
        (select l.*, case when l.priority = o.priority then v_tenth else 0 end, p_limit
         from level l left join overdue o on true
         where l.due_at <= p_now and (p_idle or l.priority >= 0)
         order by l.priority desc)
    ), due as (
        -- The shares are read in this order, the highest priority first, and no further than the limit. Each scan begins at the
        -- first message of its share, because index entries of taken messages remain until vacuum; waiting_levels() has passed over
        -- them once.
        select w.*
        from share s
        cross join lateral (
            select w.ctid, w.priority, w.keyed, w.due_at, w.seq, w.xid, w.published_at, w.place
            from postrider.waiting w
            where w.consumer_id = p_consumer_id and w.priority = s.priority and w.due_at <= p_now
              and (w.due_at, w.seq) >= (s.due_at, s.seq)
            order by w.due_at, w.seq
            limit s.most offset s.skip) w
        limit p_limit
    )
    select array_agg(d.ctid), array_agg(d.place), array_agg(d.seq), array_agg(d.xid), min(d.published_at), max(d.published_at),
           coalesce(array_agg(d.seq) filter (where d.keyed), '{}'), '{}', exists (select from overdue)
    into v_rows, places, taken.seqs, taken.xids, taken.from_at, taken.to_at, taken.keyed, taken.keys, v_overdue
    from (select * from due d order by d.priority desc, d.due_at, d.seq) d;
    if v_rows is not null then
        if p_limit >= 100 and cardinality(v_rows) = p_limit and not v_overdue then
            select w.priority, w.due_at, w.seq into up_to
            from postrider.waiting w where w.ctid = v_rows[cardinality(v_rows)];
        end if;
        delete from postrider.waiting where ctid = any (v_rows);
    end if;
end
$$;
