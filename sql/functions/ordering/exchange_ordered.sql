-- exchange_ordered(worker, limit, …): exchange_packed() for workers of an ordered consumer. It hands out messages of the log without an ordering key,
-- messages of free keys without a row as a follower, and followers whose turn it is. Messages with a priority or an available_at are not among them.
-- p_chain: how many messages of a key a lease may have, next to each other; see exchange_waiting().
-- p_native: the caller has seen that the server can load the library postrider_native, which reads the log then.
-- Other arguments, p_failures among them, results and errors are exchange_packed()'s. `parked` is -1 if there is more to claim. A consumer that is not ordered, or of which a handler
-- is held, the worker does not have all handlers or messages were cancelled ahead of the cursor, is left to exchange_packed(). So is a piece of the
-- log that pick() has to check, by a claim that hands out no followers: while there are some, every second claim of a session.
-- Touches: follower, lookahead, lease, lease_mark, delivery, message (read), and settings of the session, postrider.log_first_<consumer_id>: consumers that
--   share a session, behind a pooler, have one each.
-- postrider: grant worker
-- postrider: after check_claim, lock_claims, wait_to_claim, load_cursor, waiting_cursor, exchange_packed, open_segment, finish_ordered, settle, take_ordered, next_followers, hand_out_waiting, busy_list, direct_messages, write_direct
create or replace function postrider.exchange_ordered(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null,
    p_chain int default 1,
    p_native boolean default false
) returns setof postrider.handed_out
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_known text := postrider.check_claim(p_worker, p_limit, p_deadline, false);
    v_settled text;
    v_keys text[];  -- of messages that ended with this report
    v_room int;
    v_log_first boolean;  -- the claim before left the log to this one
    v_hint text;          -- the setting that says so
    t postrider.taken;
    c postrider.claim_cursor;  -- of the log
    w postrider.claim_cursor;  -- of messages that wait
    b postrider.claim_batch;
    d postrider.direct_piece;
begin
    if v_known is not null then
        if not pg_try_advisory_xact_lock(postrider.lock_claims(), substr(v_known, 38)::int) then
            perform postrider.wait_to_claim(substr(v_known, 38)::int, p_limit);
        end if;
        select * into strict c from postrider.load_cursor(p_worker, substr(v_known, 38)::int, null);
        select * into strict w from postrider.waiting_cursor(p_worker);
    end if;
    if v_known is null or not c.ordered or c.paused or not w.complete then
        return query select * from postrider.exchange_packed(
            p_worker, p_limit, p_lease, p_token, p_delivered, p_failures, p_deadline, p_keep => false);
        return;
    end if;
    -- Before anything is written: see exchange_packed().
    if c.xid >= c.before then
        c := postrider.open_segment(c);
    end if;
    if p_lease is not null then
        if p_delivered is null and p_failures is null then
            v_keys := postrider.finish_ordered(p_worker, c.consumer_id, p_lease, p_token);
        end if;
        v_settled := case when v_keys is not null then 'settled'
                          else postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures) end;
    end if;
    v_hint := 'postrider.log_first_' || c.consumer_id;
    v_log_first := current_setting(v_hint, true) is not distinct from 'yes';
    if v_log_first then
        perform set_config(v_hint, '', false), postrider.next_followers(c.consumer_id, array(select distinct k from unnest(v_keys) k));
    else
        t := postrider.take_ordered(w, t, p_limit, p_chain, v_keys);
    end if;
    if t.seqs <> '{}' then
        b := postrider.hand_out_waiting(w, p_worker, t, null);
    end if;
    -- A message that is handed out directly has up to 8 kB, so 2000 of them have at most 16 MB.
    v_room := least(p_limit - coalesce(cardinality(t.seqs), 0), 2000);
    if v_room > 0 then
        d := postrider.direct_messages(c, postrider.busy_list(c.consumer_id) || array_remove(t.keys, null), v_room, p_chain, p_native);
    end if;
    if d.special and t.seqs is null then
        return query
        select coalesce(h.settled, case when h.parked is not null then v_settled end), h.parked, h.lease_id, h.lease_token, h.messages
        from postrider.exchange_packed(p_worker, p_limit, p_deadline => p_deadline, p_keep => false) h;
        return;
    end if;
    -- A key with a long queue has followers for every claim. Without the hint, its followers would starve the rest of
    -- the log.
    perform set_config(v_hint, 'yes', false) where d.special;
    return query
    select v_settled, l.parked, l.lease_id, l.lease_token,
           case when d.special or d.more then b.messages else coalesce(b.messages, '') || coalesce(d.messages, '') end
    from postrider.write_direct(c, w, p_worker, p_limit, t, b, d, p_deadline) l;
end
$$;
