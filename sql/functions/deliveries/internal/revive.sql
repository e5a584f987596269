-- revive(deliveries, from, generation, actor, replay): starts the next cycle of deliveries.
-- p_from is the status they must have, 'failed' or 'delivered'; those that have another, and discarded ones, are left as
-- they are. The cycle that ended becomes one entry of failure_history:
--   {"cycle", "status", "outcome", "attempts", "failures", "crashes", "interruptions", "first_failed_at", "ended_at",
--    "error_class", "last_error", "fingerprint", "channel", "generation", "replayed_at", "replayed_by", "replay"}
-- Keys are only ever added to it. The last 20 entries are kept, history_dropped counts the others; last_error is
-- shortened to 1000 characters. The fields of the ended cycle are cleared; the envelope, with id, idempotency key and payload, stays.
-- The new cycle is due at once, and rings its channel.
-- p_generation moves them: to that generation, its channel outbox_gen_<N> and the consumer of the same name there.
-- A unique job takes its key again; it is left as it is while another job holds the key, or, in a replay, a producer that has not committed. So is a dead letter whose copy in pgmq a reader
-- has (read_pgmq_copies()).
-- One of an ordered consumer with an ordering key starts when no other message of the key is handed out or retried. The caller has
-- called lock_ordered().
-- A delivery whose type had no handler goes to adopter()'s handler, if there is one, with its policy.
-- Returns: the deliveries and their new cycles.
-- Touches: delivery (update), unique_job, follower; consumer, handler, lease (read).
-- postrider: after adopter, next_followers, read_pgmq_copies, retake_keys, ring
create or replace function postrider.revive(
    p_deliveries bigint[], p_from text, p_generation bigint, p_actor text, p_replay bigint default null
) returns table (delivery_id bigint, cycle int)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_now timestamptz := clock_timestamp();
    v_channel text := 'outbox_gen_' || p_generation;
    v_consumers int[] := '{}';
    v_from int[];  -- consumers, when their deliveries are moved
    v_to int[];    -- and the consumers of the same names in that generation
    v_refused bigint[] := postrider.retake_keys(p_deliveries, p_from, v_channel, p_replay is null) || postrider.read_pgmq_copies(p_deliveries);
    v_in_order int[] := array(select c.id from postrider.consumer c where c.ordered);
    v_ordered postrider.ordered_key[] := '{}';  -- keys whose next message may start
    r record;
begin
    if p_generation is not null then
        select array_agg(c.id), array_agg(t.id) into v_from, v_to
        from postrider.consumer c join postrider.consumer t on t.name = c.name and t.channel = v_channel;
    end if;
    if v_in_order <> '{}' then
        v_ordered := array(select row(d.consumer_id, d.ordering_key)::postrider.ordered_key from postrider.delivery d
                           where d.id = any (p_deliveries) and d.status = p_from and d.heads);
    end if;
    -- The table is not joined: a plan made while it was empty could read all of it first.
    for r in
        update postrider.delivery d
        set status = 'pending', outcome = null, cycle = d.cycle + 1, cycle_started_at = v_now,
            -- With an ordering key it waits for its turn: next_followers() starts it.
            heads = case when d.ordering_key is not null
                              and coalesce(v_to[array_position(v_from, d.consumer_id)], d.consumer_id) = any (v_in_order) then false end,
            available_at = case when d.ordering_key is not null
                                     and coalesce(v_to[array_position(v_from, d.consumer_id)], d.consumer_id) = any (v_in_order)
                                then 'infinity' else v_now end,
            attempts = 0, failures = 0, crashes = 0, interruptions = 0, suspect = false, first_failed_at = null,
            last_error = null, error_class = null, fingerprint = null, dead_at = null, delivered_at = null, replay_id = p_replay,
            failure_history = case when jsonb_array_length(d.failure_history) >= 20
                                   then d.failure_history - 0 else d.failure_history end
                || jsonb_build_object(
                       'cycle', d.cycle, 'status', d.status, 'outcome', d.outcome, 'attempts', d.attempts,
                       'failures', d.failures, 'crashes', d.crashes, 'interruptions', d.interruptions,
                       'first_failed_at', d.first_failed_at, 'ended_at', coalesce(d.dead_at, d.delivered_at),
                       'error_class', d.error_class, 'last_error', left(d.last_error, 1000), 'fingerprint', d.fingerprint,
                       'channel', d.channel, 'generation', d.generation, 'replayed_at', v_now, 'replayed_by', p_actor,
                       'replay', p_replay),
            history_dropped = d.history_dropped + (jsonb_array_length(d.failure_history) >= 20)::int,
            (handler, max_attempts, max_crashes, retry) = (
                select coalesce(h.name, d.handler), coalesce(d.max_attempts, h.max_attempts),
                       coalesce(h.max_crashes, d.max_crashes), coalesce(h.retry, d.retry)
                from (values (coalesce(v_to[array_position(v_from, d.consumer_id)], d.consumer_id))) as t(id)
                left join lateral (select * from postrider.adopter(t.id, d.event_type) where d.handler = '') h on true),
            generation = coalesce(p_generation, d.generation),
            channel = case when p_generation is null then d.channel else v_channel end,
            consumer_id = coalesce(v_to[array_position(v_from, d.consumer_id)], d.consumer_id),
            origin_id = case when v_to[array_position(v_from, d.consumer_id)] <> d.consumer_id
                             then coalesce(d.origin_id, d.consumer_id) else d.origin_id end
        where d.id = any (p_deliveries) and d.status = p_from and d.deleted_at is null
          and (p_generation is null or d.consumer_id = any (v_from)) and d.id <> all (v_refused)
        returning d.id, d.cycle, d.consumer_id, d.ordering_key, d.heads
    loop
        delivery_id := r.id;
        cycle := r.cycle;
        return next;
        if r.consumer_id <> all (v_consumers) then
            v_consumers := v_consumers || r.consumer_id;
        end if;
        if r.heads is not null then
            v_ordered := v_ordered || row(r.consumer_id, r.ordering_key)::postrider.ordered_key;
        end if;
    end loop;
    perform postrider.next_followers(k.consumer_id, array_agg(distinct k.key)) from unnest(v_ordered) k group by k.consumer_id;
    perform postrider.ring(c.channel) from postrider.consumer c where c.id = any (v_consumers) order by c.channel;
end
$$;
