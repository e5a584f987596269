-- exchange_waiting(worker, limit, …): exchange_packed() for messages that wait: those published with a priority or an available_at.
-- They are handed out when they are due, by priority and then by due time, whatever the backlog of the log is. Within a claim the
-- order is exact; a message that is published or comes due later starts after the claims that were made before.
-- p_idle: the log has nothing to hand out. Otherwise messages of a priority below 0 are left for later. take_waiting() explains how starvation
--   is prevented.
-- Other arguments, p_failures among them, results and errors are exchange_packed()'s. A lease is settled, extended and released like any other.
--   `parked` is how many messages began to wait; when none did, -1 says that more may be due or begin to wait, -2 that throttled messages
--   wait for a limit of their handler.
-- Messages with an ordering key of an ordered consumer are among them, in their order: one of a key at a time, or up to p_chain of them next to
--   each other. A worker that passes more than 1 promises to begin each of these when the one before was delivered, and otherwise to report
--   the rest as interrupted, with or after the one that was not.
-- Touches: waiting, follower, limit_bucket, handler_limit, lease, lease_mark, delivery, unique_job, message (read).
-- postrider: grant worker
-- postrider: after check_claim, lock_claims, wait_to_claim, waiting_cursor, note_next_waiting, take_waiting, finish_ordered, take_ordered, hand_out_waiting, hold_back, hand_out_limited, start_keys, write_waiting_lease, settle, ring
create or replace function postrider.exchange_waiting(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null,
    p_idle boolean default true,
    p_chain int default 1
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
    v_waiting int := 0;  -- how many messages began to wait; -1: others may, behind messages of other consumers
    v_settled text;
    v_due int;           -- how many were taken
    v_keys text[];       -- of messages of an ordered consumer that ended with this report
    v_throttled int := 0;  -- -1: more may start, -2: throttled messages have to wait
    v_places tid[];
    v_up_to postrider.waiting_place;  -- the last message that was taken
    v_lease bigint;
    v_token uuid;
    t postrider.taken;
    c postrider.claim_cursor;
    b postrider.claim_batch;
    p record;
begin
    if v_known is not null then
        if not pg_try_advisory_xact_lock(postrider.lock_claims(), substr(v_known, 38)::int) then
            perform postrider.wait_to_claim(substr(v_known, 38)::int, p_limit);
        end if;
        select * into strict c from postrider.waiting_cursor(p_worker);
        if not c.paused then
            p := postrider.note_next_waiting(c);
            c := p.at;
            v_waiting := case when p.waiting = 0 and p.more then -1 else p.waiting end;
            if (c.ordered or c.limited) and p_lease is not null then
                -- Settled first, so that the next messages of its keys and limits can be claimed.
                if c.ordered and p_delivered is null and p_failures is null then
                    v_keys := postrider.finish_ordered(p_worker, -c.consumer_id, p_lease, p_token);
                end if;
                v_settled := case when v_keys is not null then 'settled'
                                  else postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures) end;
                p_lease := null;
            end if;
            p := postrider.take_waiting(-c.consumer_id, p_limit, p_idle, clock_timestamp(),
                                        p_limit >= 100 and v_waiting = 0 and not (c.ordered or c.limited));
            t := p.taken;
            v_places := p.places;
            v_up_to := p.up_to;
            if c.ordered then
                t := postrider.take_ordered(c, t, p_limit, p_chain, v_keys);
            end if;
        end if;
        v_due := coalesce(cardinality(t.seqs), 0);
        if t.keyed <> '{}' then
            t := postrider.hold_back(c, t);
        end if;
        if t.seqs <> '{}' then
            b := postrider.hand_out_waiting(c, p_worker, t, v_places);
        end if;
        if c.limited and not c.paused then
            p := postrider.hand_out_limited(c, p_worker, t, b, p_limit);
            t := p.taken;
            b := p.batch;
            v_throttled := p.throttled;
        end if;
        if t.keyed <> '{}' then
            perform postrider.start_keys(b.seqs);
        end if;
        select w.lease_id, w.lease_token into v_lease, v_token
        from postrider.write_waiting_lease(c, p_worker, b.seqs, t, v_up_to, v_waiting <> 0 or v_due > 0 or v_throttled = -1, p_deadline) w;
    end if;
    if p_lease is not null then
        v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
    end if;
    perform postrider.ring(c.channel) where b.parked > 0;
    return next row(v_settled, case when v_waiting <> 0 then v_waiting when v_due = p_limit then -1 else v_throttled end,
                    v_lease, v_token, b.messages);
end
$$;
