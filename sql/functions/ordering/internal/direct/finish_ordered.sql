-- finish_ordered(worker, consumer_id, lease, token): settles a lease of an ordered consumer whose messages were all delivered, without starting
-- the next messages of their keys: the calling claim takes them. Other leases are not touched; the caller calls settle() for them.
-- Returns: the keys of the lease, some of them more than once; null when nothing was done. Touches: lease, circuit.
-- postrider: after circuit_successes, has_heads
create or replace function postrider.finish_ordered(p_worker uuid, p_consumer_id int, p_lease bigint, p_token uuid) returns text[]
    language plpgsql volatile
    as $$
declare
    l postrider.lease;
begin
    -- If a key has deliveries, only next_followers() can determine its next message.
    if postrider.has_heads(p_consumer_id) then
        return null;
    end if;
    select * into l from postrider.lease e
    where e.consumer_id = -p_consumer_id and e.id = p_lease and e.token = p_token and e.worker_id = p_worker and e.finished_at is null
      and (e.taken).keyed = '{}' and (e.taken).keys <> '{}' and cardinality(e.members) = cardinality((e.taken).seqs)
    for no key update;
    if not found then
        return null;
    end if;
    update postrider.lease e set members = '{}', finished_at = clock_timestamp() where e.consumer_id = l.consumer_id and e.id = l.id;
    perform postrider.circuit_successes(l, l.members, '{}');
    return array_remove((l.taken).keys, null);
end
$$;
