-- write_waiting_lease(cursor, worker, members, taken, up_to, moved, deadline): writes the lease of a claim of messages that waited, which is
-- also the consumer's new cursor for them. Without members it only moves the cursor. p_moved false: messages were neither noted
-- nor taken, and a row is written once a minute, as pass_segment() does it.
-- Returns: the lease's id and token, null without members. The caller holds the claim lock.
-- Touches: lease (insert); in one claim of a thousand lease_mark.
-- postrider: after mark_leases
create or replace function postrider.write_waiting_lease(
    p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_taken postrider.taken,
    p_up_to postrider.waiting_place, p_moved boolean, p_deadline interval, out lease_id bigint, out lease_token uuid
)
    language plpgsql volatile
    as $$
#variable_conflict use_column
declare
    c postrider.claim_cursor := p_cursor;
    v_members bigint[] := coalesce(p_members, '{}');
begin
    if not p_moved and (c.paused or not (c.advanced and (c.looked or c.moved_at < c.now - interval '1 minute'))) then
        return;
    end if;
    insert into postrider.lease as l (
        consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
        floor_at, ceiling_at, recheck_xid, from_xid, from_seq, to_xid, to_seq, members, taken, taken_to, claimed_at, deadline, finished_at)
    values (
        c.consumer_id, pg_catalog.gen_random_uuid(), p_worker, c.done, c.open, c.done_xid,
        case when c.own_xid then pg_catalog.pg_current_xact_id() else c.open_xid end, c.done_at, c.open_at, c.floor_at,
        c.ceiling_at, c.recheck_xid, c.xid, c.seq, c.xid, c.seq, v_members, case when v_members <> '{}' then p_taken end,
        case when cardinality(v_members) = cardinality(p_taken.seqs) then p_up_to end, c.now,
        c.now + coalesce(p_deadline, c.lease_deadline), case when v_members = '{}' then c.now end)
    returning l.id, l.token into lease_id, lease_token;
    if lease_token < '00400000-0000-0000-0000-000000000000' then
        perform postrider.mark_leases(c.consumer_id);
    end if;
    if v_members = '{}' then
        lease_id := null;
        lease_token := null;
    end if;
end
$$;
