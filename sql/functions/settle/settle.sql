-- settle(worker, lease, token, delivered, failures): reports the outcomes of the messages of a lease.
-- p_delivered: the seqs that are done; null means every message still owed that p_failures does not name.
-- p_failures: a JSON array of {"seq", "handler", "outcome", "error", "error_class", "delay_ms", "duration_ms", "earlier"}, with
--   conclude()'s outcomes; without a handler it stands for every handler of that message. `earlier` are the runs of this lease that the
--   message was retried after, as immediate_retries() allows: [{"error", "error_class", "duration_ms", "ago_ms"}], the first one first. Report a message when all its
--   handlers have run: those not named in p_failures are done.
-- Returns: 'settled' (no member is left, also when repeated), 'open' (some are left) or 'lost_lease'
--   (this worker does not hold the lease, or no longer; nothing was changed).
-- Raises: PR001 for malformed failures, PR004 unknown worker, PR010 for a session user who may not work for the consumer.
-- Touches: lease, delivery and the tables that conclude() touches, unique_job and the tables that end_members() touches for a lease with unique
--   jobs or members of sets, follower for one of an ordered consumer, message (read).
-- postrider: grant worker
-- postrider: after require_worker, park_failures, park_ordered, circuit_successes, run_ended, members_left, end_members, lock_claims, take_lock
create or replace function postrider.settle(
    p_worker uuid, p_lease bigint, p_token uuid,
    p_delivered bigint[] default null, p_failures jsonb default null
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_failed bigint[];
    v_runs postrider.ended_run[];
    v_owed bigint[] := '{}';
    v_keyed bigint[];  -- messages with a unique key or a set that left the lease
    v_succeeded text[] := '{}';
    l postrider.lease;
    f record;
begin
    if jsonb_typeof(p_failures) <> 'array' then
        raise exception using errcode = 'PR001', message = 'settle: failures must be a JSON array';
    end if;
    select * into l from postrider.lease
    -- For an ordered consumer it takes the claim lock before the lock of the lease: a claim may be noting a follower of a message. "offset 0" keeps
    -- the planner from locking every ordered consumer that it reads before it knows the worker's.
    where consumer_id in (select s.id
                          from (select o.id, o.ordered, w.login from postrider.worker w join postrider.consumer o on o.id = w.consumer_id
                                where w.id = p_worker offset 0) c
                          cross join lateral (values (c.id), (-c.id)) as s(id)
                          where (c.login is not distinct from session_user or postrider.require_worker(p_worker) is not null)
                            and (not c.ordered or postrider.take_lock(postrider.lock_claims(), c.id, 'claims of consumer ' || c.id) is not null))
      and id = p_lease and token = p_token and worker_id = p_worker for no key update;
    if l.finished_at is not null then
        return case when l.reaped_at is null then 'settled' else 'lost_lease' end;
    elsif not found then
        perform postrider.require_worker(p_worker);
        return 'lost_lease';
    end if;

    l.members := l.members || '{}'::bigint[];  -- detoasted once: large arrays are stored out of line
    if p_failures <> '[]' then
        f := case when (l.taken).keys <> '{}' then postrider.park_ordered(l, p_delivered, p_failures)
                  else postrider.park_failures(l, p_failures) end;
        v_failed := f.failed;
        v_runs := f.runs;
    end if;
    if p_delivered is not null then
        v_owed := array(select unnest(l.members) except select unnest(p_delivered || v_failed) order by 1);
    end if;
    -- After parking: succeeded_since() takes messages of finished leases without a delivery for successes.
    update postrider.lease
    set members = v_owed, finished_at = case when v_owed = '{}' then clock_timestamp() end
    where consumer_id = l.consumer_id and id = l.id;
    -- succeeded_since() does not find successes of messages that waited, so they are counted here.
    if p_delivered <> '{}' or l.taken is not null then
        v_succeeded := postrider.circuit_successes(
            l, case when p_delivered is null and v_failed is null then l.members
                    else array(select unnest(l.members) intersect select unnest(coalesce(p_delivered, l.members))
                               except select unnest(v_failed)) end,
            array(select r.handler from unnest(v_runs) r where r.kind = 'transient'));
    elsif cardinality(v_failed) < cardinality(l.members) and p_delivered is null then
        -- A handler that takes every type, or is the only one, has delivered the others. succeeded_since() finds the
        -- successes of further handlers if needed.
        select coalesce(array_agg(h.name), v_succeeded) into v_succeeded
        from postrider.handler h
        where h.consumer_id = abs(l.consumer_id) and h.retired_at is null
          and ('*' = any (h.event_types)
               or (select cardinality(c.handlers) = 1 from postrider.consumer c where c.id = abs(l.consumer_id)));
    end if;
    if l.taken is not null then
        v_keyed := postrider.members_left(l, v_owed);
    end if;
    if v_runs <> '{}' then
        perform postrider.run_ended(v_runs, v_succeeded, true);
    end if;
    if v_keyed <> '{}' then
        perform postrider.end_members(v_keyed);
    end if;
    return case when v_owed = '{}' then 'settled' else 'open' end;
end
$$;
