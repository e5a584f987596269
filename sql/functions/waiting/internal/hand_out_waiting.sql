-- hand_out_waiting(cursor, worker, taken, places): the messages that were taken, in their order, for a worker that has all handlers of the
-- consumer; otherwise, and when a message is large or a limit can bind, pick() checks each of them. Messages that do not fit into the claim
-- wait again. p_places: the places of their rows, null or shorter when some are unknown.
-- Returns: the messages to hand out, and how many deliveries were made of others.
-- Touches: waiting, follower, delivery and consumer, as pick(); message (read). The caller's settings pin the plans.
-- postrider: after placed_batch, taken_batch, pick, taken_messages, cut_chains
create or replace function postrider.hand_out_waiting(
    p_cursor postrider.claim_cursor, p_worker uuid, p_taken postrider.taken, p_places tid[]
) returns postrider.claim_batch
    language plpgsql volatile
    as $$
declare
    c postrider.claim_cursor := p_cursor;
    v_log refcursor;
    v_seen int;  -- position of the last message that pick() read
    v_started text[];  -- ordering keys of messages that are handed out
    b postrider.claim_batch;
begin
    if c.complete and not c.limited then
        if cardinality(p_places) = cardinality(p_taken.seqs) then
            select * into b from postrider.placed_batch(c, p_taken, p_places);
        end if;
        if b.special is not false then
            select * into b from postrider.taken_batch(c, p_taken);
        end if;
        if not b.special then
            return b;
        end if;
    end if;
    c.consumer_id := -c.consumer_id;
    if c.ordered and p_taken.keys <> '{}' then
        p_taken := postrider.cut_chains(c, p_taken);
    end if;
    c.floor_at := p_taken.from_at;
    c.ceiling_at := p_taken.to_at;
    open v_log no scroll for select m.* from postrider.taken_messages(c.channel, p_taken) m;
    b := postrider.pick(c, p_worker, v_log);
    v_seen := array_position(p_taken.seqs, b.to_seq);
    if v_seen < cardinality(p_taken.seqs) then
        insert into postrider.waiting (consumer_id, priority, keyed, due_at, seq, xid, published_at)
        select c.consumer_id, m.priority, m.unique_key is not null or m.set_id is not null, coalesce(m.available_at, m.published_at), m.seq, m.xid,
               m.published_at
        from postrider.taken_messages(c.channel, p_taken) m
        where m.seq = any (p_taken.seqs[v_seen + 1:]) and (p_taken.keys = '{}' or m.ordering_key is null);
        -- Followers of messages that are handed out are not ready: the end of those messages starts them.
        v_started := array(select k.key from unnest(p_taken.seqs, p_taken.keys) as k(seq, key) where k.key is not null and k.seq = any (b.seqs));
        insert into postrider.follower (consumer_id, key, ready, seq, xid, segment, published_at)
        select c.consumer_id, m.ordering_key,
               row_number() over (partition by m.ordering_key order by m.seq) = 1 and m.ordering_key <> all (v_started),
               m.seq, m.xid, '0', m.published_at
        from postrider.taken_messages(c.channel, p_taken) m
        where m.seq = any (p_taken.seqs[v_seen + 1:]) and p_taken.keys <> '{}' and m.ordering_key is not null;
    end if;
    return b;
end
$$;
