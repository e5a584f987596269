-- put_back(consumer_id, taken, seqs, alone): makes messages with ordering keys that a claim took followers again. None of them is marked as
-- ready; next_followers() does that later, or the end of a lease that has an earlier message of the key.
-- A message that the consumer reads again, because it was moved back (seek_consumer()), is a follower already or will be.
-- p_alone: each is handed out without the messages behind it.
-- Touches: follower; message, consumer, lease (read).
-- postrider: after covers, cursor_of, taken_messages
create or replace function postrider.put_back(p_consumer_id int, p_taken postrider.taken, p_seqs bigint[], p_alone boolean) returns void
    language plpgsql volatile
    as $$
begin
    insert into postrider.follower (consumer_id, key, alone, seq, xid, segment, published_at)
    select p_consumer_id, m.ordering_key, p_alone, m.seq, m.xid, '0', m.published_at
    from postrider.taken_messages((select c.channel from postrider.consumer c where c.id = p_consumer_id), p_taken) m
    where m.seq in (select unnest(p_seqs)) and postrider.covers(postrider.cursor_of(p_consumer_id), m.xid, m.seq)
    on conflict (consumer_id, key, seq) do nothing;
end
$$;
