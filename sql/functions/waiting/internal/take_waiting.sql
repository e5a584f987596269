-- take_waiting(consumer_id, limit, idle, now): takes due messages out of the table waiting, by priority and then by due time.
-- p_idle false: none of a priority below 0.
-- No priority starves: a tenth of every claim, or every tenth claim when it is for fewer than ten messages, goes to the priority
-- whose first message has been due for longest, if that is a minute or more.
-- Returns: null fields when nothing is due. The caller holds the consumer's claim lock, so no row is taken twice.
-- Touches: waiting (delete). The caller's settings pin the plans.
create or replace function postrider.take_waiting(
    p_consumer_id int, p_limit int, p_idle boolean, p_now timestamptz
) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_tenth constant int := greatest(p_limit / 10, 1);
    v_rows tid[];
    t postrider.taken;
begin
    with recursive level (priority, first_at, first_seq) as (
        -- Loose index scan: the few priorities in use, so that messages that are not due yet are never read.
        (select w.priority, w.due_at, w.seq from postrider.waiting w
         where w.consumer_id = p_consumer_id
         order by w.priority desc, w.due_at, w.seq limit 1)
        union all
        select n.* from level l cross join lateral (
            select w.priority, w.due_at, w.seq from postrider.waiting w
            where w.consumer_id = p_consumer_id and w.priority < l.priority
            order by w.priority desc, w.due_at, w.seq limit 1) n
    ), overdue as materialized (
        select l.* from level l
        where l.first_at <= p_now - interval '1 minute' and (p_limit >= 10 or pg_catalog.random() < 0.1)
        order by l.first_at limit 1
    ), share (priority, first_at, first_seq, skip, most) as (
        select o.*, 0, v_tenth from overdue o
        union all
        select l.*, case when l.priority = o.priority then v_tenth else 0 end, p_limit
        from level l left join overdue o on true
        where l.first_at <= p_now and (p_idle or l.priority >= 0)
    ), due as (
        -- The shares come in this order, the highest priority first, and those behind a full claim are not read. Each begins at its
        -- first message: entries of messages that were taken stay in the index for a while, and are stepped over once.
        select w.*
        from share s
        cross join lateral (
            select w.ctid, w.priority, w.keyed, w.due_at, w.seq, w.xid, w.published_at
            from postrider.waiting w
            where w.consumer_id = p_consumer_id and w.priority = s.priority and w.due_at <= p_now
              and (w.due_at, w.seq) >= (s.first_at, s.first_seq)
            order by w.due_at, w.seq
            limit s.most offset s.skip) w
        limit p_limit
    )
    select array_agg(d.ctid), array_agg(d.seq), array_agg(d.xid), min(d.published_at), max(d.published_at),
           coalesce(array_agg(d.seq) filter (where d.keyed), '{}'), '{}'
    into v_rows, t.seqs, t.xids, t.from_at, t.to_at, t.keyed, t.keys
    from (select * from due d order by d.priority desc, d.due_at, d.seq) d;
    if v_rows is not null then
        delete from postrider.waiting where ctid = any (v_rows);
    end if;
    return t;
end
$$;
