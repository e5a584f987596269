-- write_lease(cursor, worker, members, to_xid, to_seq, deadline): writes the lease of a claim that read its segment up to (to_xid, to_seq).
-- Without members it is finished at once and only moves the cursor. The caller holds the claim lock.
-- Returns: the lease's id and token, null without members.
-- Touches: lease (insert); in one claim of a thousand lease_mark.
-- postrider: after mark_leases
create or replace function postrider.write_lease(
    p_cursor postrider.claim_cursor, p_worker uuid, p_members bigint[], p_to_xid xid8, p_to_seq bigint, p_deadline interval,
    out lease_id bigint, out lease_token uuid
)
    language plpgsql volatile
    as $$
#variable_conflict use_column
begin
    insert into postrider.lease as l (
        consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
        floor_at, ceiling_at, recheck_xid, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
    values (
        p_cursor.consumer_id, pg_catalog.gen_random_uuid(), p_worker, p_cursor.done, p_cursor.open, p_cursor.done_xid,
        case when p_cursor.own_xid then pg_catalog.pg_current_xact_id() else p_cursor.open_xid end, p_cursor.done_at,
        p_cursor.open_at, p_cursor.floor_at, p_cursor.ceiling_at, p_cursor.recheck_xid, p_cursor.xid, p_cursor.seq, p_to_xid, p_to_seq,
        p_members, p_cursor.now, p_cursor.now + coalesce(p_deadline, p_cursor.lease_deadline),
        case when p_members = '{}' then p_cursor.now end)
    returning l.id, l.token into lease_id, lease_token;
    if lease_token < '00400000-0000-0000-0000-000000000000' then
        perform postrider.mark_leases(p_cursor.consumer_id);
    end if;
    if p_members = '{}' then
        lease_id := null;
        lease_token := null;
    end if;
end
$$;
