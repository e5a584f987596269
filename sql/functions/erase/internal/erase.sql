-- erase(filter, actor, reason, dry_run): erases the content of messages that hold personal data in every table that has it: payload, headers,
-- metadata, keys and trace context of the message in the log and of its deliveries, error texts, progress and results, alerts, the messages and audit
-- entries of edits, entries of the inbox, unique keys.
-- The envelope stays, without keys, and the payload says {"erased": true}. The target of the message becomes '!erased', so no claim, no new consumer
-- and no consumer that seeks back gets it. A job that waits is never run. A job that runs is cancelled.
-- Its deliveries are discarded with the error class erased, and can be neither restored, replayed nor redelivered.
-- p_filter is a JSON object; all its keys must hold: ids (of messages), idempotency_key, ordering_key, partition_key, workspace_id, payload
--   ({"path": "$.user.id", "equals": 42}), event_type, channel, since, until (of publication). One of the first six is required.
-- The audit records the ids, and which keys the filter had, without their values. p_dry_run: counts, and changes nothing.
-- Returns: how many messages and deliveries the filter finds, and how many jobs waited or ran before claims had to wait.
-- Raises: PR001 for a malformed filter or without actor or reason, PR002 for more than 10,000 messages, PR005 outside READ COMMITTED, 55P03
--   as take_claim_locks(), or when other transactions hold something that has to change and do not end within three seconds.
-- Touches: message, delivery, job_progress, alert, audit, event_handled, waiting, follower, key_backlog, lease, worker, consumer, unique_job, circuit
--   and the tables that end_members() touches.
-- postrider: after cancellable, end_members, erasable, erase_content, erase_jobs, lock_claims_of, lock_deliveries, lock_jobs, require_erase, require_read_committed, write_audit
create or replace function postrider.erase(
    p_filter jsonb, p_actor text, p_reason text, p_dry_run boolean default false, out messages bigint, out deliveries bigint,
    out jobs bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '10ms'  -- claims of several roles wait meanwhile
    -- Also for the functions that it calls: with a generic plan, the list of ids is compared with each message one by one.
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_most constant int := 10000;
    v_ids uuid[];
    v_before uuid[];
    v_until timestamptz;
begin
    perform postrider.require_read_committed('erase');
    perform postrider.require_erase(p_filter);
    -- Searching the log may take long, so it is done before claims are locked out. Until lock_claims_of() claims can still hand out
    -- these messages.
    v_ids := array(select e from postrider.erasable(p_filter, v_most + 1) e);
    jobs := (select count(*) from postrider.cancellable(jsonb_build_object('ids', to_jsonb(v_ids)), 1000000) where cardinality(v_ids) between 1 and v_most);
    if not coalesce(p_dry_run, false) then
        perform postrider.lock_claims_of(v_ids);
        v_until := clock_timestamp() + interval '3 seconds';
        -- With the claim locks no claim hands out these messages, and with the locks of their deliveries no replay starts one. Includes
        -- messages of edits made since the search, and of those that it waits for.
        loop
            v_before := v_ids;
            -- First, because a report that is not committed makes deliveries.
            perform postrider.lock_jobs(array(
                select row(f.*)::postrider.cancel_job
                from postrider.cancellable(jsonb_build_object('ids', to_jsonb(v_ids)), 1000000, true) f), v_until);
            perform postrider.lock_deliveries(array(select d.id from postrider.delivery d where d.message_id = any (v_ids)), v_until);
            v_ids := array(select e from postrider.erasable(jsonb_build_object('ids', to_jsonb(v_ids)), v_most + 1) e order by e);
            exit when v_ids = v_before;
        end loop;
    end if;
    if cardinality(v_ids) > v_most then
        raise exception using errcode = 'PR002', message = format('erase: the filter matches more than %s messages', v_most),
            hint = 'Narrow it, for example with since and until.';
    end if;
    messages := cardinality(v_ids);
    deliveries := (select count(*) from postrider.delivery d where d.message_id = any (v_ids));
    if coalesce(p_dry_run, false) then
        return;
    end if;
    perform postrider.write_audit(
        p_actor, 'erase', p_reason,
        jsonb_build_object('ids', to_jsonb(v_ids), 'by', (select jsonb_agg(k order by k) from jsonb_object_keys(p_filter) k)), null,
        jsonb_build_object('messages', messages, 'deliveries', deliveries, 'jobs', jobs));
    if v_ids <> '{}' then
        perform postrider.erase_jobs(v_ids, v_until);
        perform postrider.erase_content(v_ids);
        -- Now that their dead letters are discarded, which may block a set.
        perform postrider.end_members(array(select m.seq from postrider.message m where m.id = any (v_ids)
                                            union select d.seq from postrider.delivery d where d.message_id = any (v_ids)), true);
    end if;
end
$$;
