-- exchange_packed(worker, limit, …): exchange() for programs: the same arguments and guarantees, but the messages come in
-- binary values of up to 200 each, which are cheaper to make, to send and to read. Messages that wait, because they have a priority
-- or an available_at, are not among them: programs call exchange_waiting() for those.
-- p_lease, p_token, p_delivered, p_failures and p_deadline are exchange()'s.
-- It keeps settings for its plans in the session, so the connection should do nothing else. p_keep false, which exchange() passes,
-- keeps none: then the caller's settings pin the plans.
-- Returns: handed_out rows; all but the last have only `messages`, the last one is the summary too. Concatenated they are the
--   claimed messages in log order, as packed() makes them. A claim of large messages ends at 16 MB, and one that passes over
--   messages of other consumers ends after scan_time().
-- Raises: the errors of exchange(). Touches: lease, lease_mark, delivery, message (read).
--
-- Every statement costs as much as a dozen messages and every expression as one, because PostgreSQL builds them again in each
-- transaction. So the usual claim executes four statements: load_cursor() and read_piece(), which the planner inlines, the new lease
-- and the old one. The settings make the plans index range scans of as many rows as are claimed, whatever the statistics say.
-- postrider: grant worker
-- postrider: after check_claim, lock_claims, wait_to_claim, load_cursor, exchange_again, open_log, pick, pick_ordered, scan_time, read_piece, read_on, open_segment, pass_segment, write_lease, settle_whole, ring
create or replace function postrider.exchange_packed(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null,
    p_keep boolean default true
) returns setof postrider.handed_out
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_known text := current_setting('postrider.worker', true);  -- the worker's id and its consumer's
    v_settled text;
    v_earlier bigint[];                  -- members in the rows before the last one
    v_piece int := least(p_limit, 200);  -- messages to read at once
    v_lease bigint;
    v_token uuid;
    c postrider.claim_cursor;
    b postrider.claim_batch;
begin
    if left(v_known, 36) is distinct from p_worker::text or not p_keep or p_limit is null or p_limit not between 1 and 10000
       or current_setting('transaction_isolation') <> 'read committed' then
        v_known := postrider.check_claim(p_worker, p_limit, p_deadline, p_keep);
    end if;
    if not pg_try_advisory_xact_lock(postrider.lock_claims(), substr(v_known, 38)::int) then
        perform postrider.wait_to_claim(substr(v_known, 38)::int, p_limit);
    end if;
    select * into c from postrider.load_cursor(p_worker, substr(v_known, 38)::int, p_lease);
    if c.name is null then
        return query select * from postrider.exchange_again(
            p_worker, p_limit, p_lease, p_token, p_delivered, p_failures, p_deadline, p_keep);
        return;
    end if;
    while not c.paused loop
        if c.late then
            -- Late committers come first: their ids are lower than the others of the segment. Most segments have none.
            c.stop := clock_timestamp() + postrider.scan_time();
            b := case when c.ordered then postrider.pick_ordered(c, p_worker, true, p_limit)
                      else postrider.pick(c, p_worker, postrider.open_log(c, true, p_limit), p_limit) end;
            exit when b.to_xid is not null;
        end if;
        if c.complete and c.xid < c.before then
            select * into b from postrider.read_piece(c, c.xid, c.seq, v_piece);
            exit when not b.special;
        end if;
        if b.special or not c.complete then
            c.stop := clock_timestamp() + postrider.scan_time();
            b := case when c.ordered then postrider.pick_ordered(c, p_worker, false, p_limit)
                      else postrider.pick(c, p_worker, postrider.open_log(c, false, p_limit), p_limit) end;
        end if;
        exit when b.to_xid is not null or c.advanced;
        c := postrider.open_segment(c);
    end loop;
    -- A large claim returns a full piece and reads the next one.
    while p_limit > 200 and not b.special and cardinality(b.seqs) = v_piece and cardinality(v_earlier || b.seqs) < p_limit loop
        return next row(v_settled, null::int, v_lease, v_token, b.messages);
        v_earlier := v_earlier || b.seqs;
        v_piece := least(v_piece, p_limit - cardinality(v_earlier));
        select * into b from postrider.read_on(c, b, v_piece);
    end loop;
    if b.to_xid is not null then
        select w.lease_id, w.lease_token into v_lease, v_token
        from postrider.write_lease(c, p_worker, v_earlier || b.seqs, b.to_xid, b.to_seq, p_deadline) w;
    elsif c.advanced then
        perform postrider.pass_segment(c);
    end if;
    -- The lease is settled here and not earlier: open_segment() must take its snapshot before the transaction has an
    -- id.
    if p_lease is not null then
        v_settled := postrider.settle_whole(p_worker, c.consumer_id, p_lease, p_token, p_delivered, p_failures);
    end if;
    if b.parked > 0 then
        perform postrider.ring(c.channel);
    end if;
    -- The cursor moved, yet no message was handed out or parked: pick() stopped before the end of the segment.
    return next row(v_settled, case when b.parked = 0 and v_lease is null and b.to_xid is not null then -1
                                    else coalesce(b.parked, 0) end, v_lease, v_token, b.messages);
end
$$;
