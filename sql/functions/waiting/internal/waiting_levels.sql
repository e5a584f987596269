-- waiting_levels(consumer_id, mark): the few priorities of messages that wait, each with the place of its first message; of the mark's
-- priority the first one behind the mark. Loose index scan, so messages that are not due yet are never read.
-- Stable, one query and without settings, so that the planner inlines it.
create or replace function postrider.waiting_levels(p_consumer_id int, p_mark postrider.waiting_place)
    returns setof postrider.waiting_place
    language sql stable
    as $$
    -- down_to: the priority at which this scan ends, which is the mark's for the priorities above it.
    with recursive level (priority, due_at, seq, down_to) as (
        (select w.priority, w.due_at, w.seq, s.down_to
         from (values (32768, coalesce((p_mark).priority, -32769)), ((p_mark).priority, -32769)) as s (below, down_to)
         cross join lateral (
             select w.priority, w.due_at, w.seq from postrider.waiting w
             where w.consumer_id = p_consumer_id and w.priority < s.below and w.priority > s.down_to
             order by w.priority desc, w.due_at, w.seq limit 1) w)
        union all
        select n.*, l.down_to from level l cross join lateral (
            select w.priority, w.due_at, w.seq from postrider.waiting w
            where w.consumer_id = p_consumer_id and w.priority < l.priority and w.priority > l.down_to
            order by w.priority desc, w.due_at, w.seq limit 1) n
    )
    select l.priority, l.due_at, l.seq from level l
    union all
    (select w.priority, w.due_at, w.seq from postrider.waiting w
     where w.consumer_id = p_consumer_id and w.priority = (p_mark).priority
       and (w.due_at, w.seq) > ((p_mark).due_at, (p_mark).seq)
     order by w.due_at, w.seq limit 1)
    $$;
