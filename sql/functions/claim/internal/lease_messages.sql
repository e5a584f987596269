-- lease_messages(lease): the messages that a lease was made for, in the order in which they were handed out, as rows of exchange(). A lease holds messages that
-- waited, messages of late committers or a range of the log; the scan ends when all members are found.
-- Columns are named: a cached plan with m.* would no longer match the log after a migration has added a column, and PostgreSQL would not invalidate
-- it, because the query itself names only functions.
-- Touches: consumer, message (read). The caller's settings pin the plan.
-- postrider: after log_late, log_range, taken_messages
create or replace function postrider.lease_messages(p_lease postrider.lease) returns setof postrider.claimed
    language plpgsql stable
    as $$
declare
    l postrider.lease := p_lease;
    v_channel text := (select c.channel from postrider.consumer c where c.id = abs(l.consumer_id));
    v_late boolean := l.taken is null and l.to_xid < pg_snapshot_xmax(l.done_snapshot);
    v_range boolean := l.taken is null and not v_late;
    v_low timestamptz := l.floor_at - interval '1 hour';
    v_high timestamptz := l.ceiling_at + interval '1 hour';
begin
    l.members := l.members || '{}'::bigint[];  -- detoasted once: large arrays are stored out of line
    return query
    select null::text, null::int, null::bigint, null::uuid, m.seq, m.id, m.event_type::text, m.event_version, m.occurred_at,
           m.source::text, m.target::text, m.workspace_id, m.payload::json, m.headers::json, m.idempotency_key::text,
           m.ordering_key::text, m.partition_key::text, m.trace_context::text, m.content_class::text, m.generation
    from (
        (select m.* from postrider.taken_messages(v_channel, l.taken) m where m.seq = any (l.members))
        union all
        (select m.* from postrider.log_late(v_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq, l.to_xid, l.to_seq,
                                            v_low, v_high) m
         -- In a CASE, the members are looked up in a hash table; outside it they would be joined.
         where v_late and case when l.id is not null then m.seq in (select unnest(l.members)) end
         limit cardinality(l.members))
        union all
        (select m.* from postrider.log_range(v_channel, l.done_snapshot, l.open_snapshot, l.from_xid, l.from_seq,
                                             pg_snapshot_xmax(l.open_snapshot), v_low, v_high) m
         where v_range and case when l.id is not null then m.seq in (select unnest(l.members)) end
         order by m.xid, m.seq
         limit cardinality(l.members))) m;
end
$$;
