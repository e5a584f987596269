-- cursor_of(consumer_id): where a consumer stands in its channel: the position of its newest lease. The negative of its id stands
-- for its cursor of messages that wait.
create or replace function postrider.cursor_of(p_consumer_id int) returns postrider.position
    language sql stable
    as $$
    select row(l.done_snapshot, l.open_snapshot, l.to_xid, l.to_seq)::postrider.position
    from postrider.lease l
    where l.consumer_id = p_consumer_id
    order by l.id desc
    limit 1
    $$;
