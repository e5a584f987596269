-- take_ordered(cursor, taken, limit, chain, keys): the messages that a claim of an ordered consumer hands out: p_taken, which waited, followers that
-- are ready, and the next followers of p_keys, whose messages the claim has just settled; those need not be ready. Up to p_limit in all, and up to
-- p_chain of a key; one message of a key for a worker that does not have all handlers, because pick() checks each of them.
-- Returns: all of them. Touches: follower, and the tables that refuse_unordered() and next_followers() touch.
-- postrider: after may_have_followers, refuse_unordered, ready_keys, take_chains, next_followers, noted_before
create or replace function postrider.take_ordered(
    p_cursor postrider.claim_cursor, p_taken postrider.taken, p_limit int, p_chain int, p_keys text[]
) returns postrider.taken
    language plpgsql volatile
    as $$
declare
    v_consumer int := -p_cursor.consumer_id;
    v_chain int := case when p_cursor.complete then greatest(p_chain, 1) else 1 end;
    v_keys text[];
    t postrider.taken := p_taken;
begin
    if t.seqs is not null then
        t := postrider.refuse_unordered(p_cursor, t);
    end if;
    if not postrider.may_have_followers(v_consumer) then
        return t;
    end if;
    v_keys := postrider.ready_keys(v_consumer, p_limit);
    if v_keys <> '{}' then
        t := postrider.take_chains(v_consumer, v_keys, t, p_limit, v_chain);
    end if;
    if p_keys is not null then
        v_keys := array(select k from (select distinct p from unnest(p_keys) p) as d(k)
                        where exists (select from postrider.follower f where f.consumer_id = v_consumer and f.key = k offset 0)
                        except select unnest(t.keys));
    end if;
    if p_keys is not null and v_keys <> '{}' then
        t := postrider.take_chains(v_consumer, v_keys, t, p_limit, v_chain);
        -- Keys whose messages did not fit, or are in a segment that is still being read, start later.
        if cardinality(t.seqs) >= p_limit or (postrider.noted_before(v_consumer)).segment < '18446744073709551615' then
            v_keys := array(select unnest(v_keys) except select unnest(t.keys));
            perform postrider.next_followers(v_consumer, v_keys) where v_keys <> '{}';
        end if;
    end if;
    return t;
end
$$;
