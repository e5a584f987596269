-- waiting_mark(consumer_id, continue): the place where the newest claim of messages that wait ended, so that the next one need not pass
-- over the index entries of the messages it took: until an asynchronous commit is flushed, that takes as long as the claim itself. It is a
-- hint: one claim in twenty begins at the first message, and so does each claim after one that was not full. So a message that is inserted
-- before this place, for example because a limit was removed, waits only for some claims.
-- Returns: null fields without p_continue, or when the place is not known. Touches: lease (read).
create or replace function postrider.waiting_mark(p_consumer_id int, p_continue boolean) returns postrider.waiting_place
    language plpgsql volatile
    as $$
declare
    m postrider.waiting_place;
begin
    if p_continue and pg_catalog.random() < 0.95 then
        select (l.taken_to).priority, (l.taken_to).due_at, (l.taken_to).seq into m
        from postrider.lease l
        where l.consumer_id = -p_consumer_id
        order by l.id desc limit 1;
    end if;
    return m;
end
$$;
