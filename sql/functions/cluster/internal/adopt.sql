-- adopt(name, actor, reason, drop_owed): makes this database the one of a deployment, for a physical copy that becomes independent, and for a server
-- that was moved. Workers of the original are removed, since they never report here; the messages and deliveries they held are due again.
-- p_drop_owed: messages not yet delivered, retries, deliveries in flight and alerts not yet sent are dropped, because the original delivers them;
-- dead letters stay. With it, and when one name replaces another, schedules are paused, because the original fires them;
-- the first name of a database pauses none.
-- Returns: how many deliveries and waiting messages were dropped, followers among them, and how many consumers had messages behind their cursor; and
--   how many schedules were paused. The audit records actor and reason.
-- Raises: PR013 for a malformed name, PR001 without actor or reason, PR005 outside READ COMMITTED, PR006 in a cluster that needs
--   a rebase first, 55P03 as take_claim_locks(), and when other transactions hold workers, for example by a heartbeat, or other rows.
-- Touches: deployment, worker, lease, waiting, follower, lookahead, key_backlog, unique_job, delivery, replay_item, alert_sending, job_set, set_member, set_mark, schedule,
--   audit; message (read).
-- postrider: after take_claim_locks, lock_workers, require_read_committed, require_cluster, record_server, write_audit, current_snapshot, start_cursors, forget_cancelled
create or replace function postrider.adopt(
    p_name text, p_actor text, p_reason text, p_drop_owed boolean default false, out deliveries bigint, out consumers bigint,
    out schedules bigint
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
#variable_conflict use_column
declare
    v_before text := (select d.name from postrider.deployment d);
    v_start pg_snapshot;
    v_dropped bigint;
    c record;
begin
    if p_name is null or p_name !~ '^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,62}$' then
        raise exception using errcode = 'PR013', message = format('invalid deployment name %L', p_name),
            hint = 'Use 1 to 63 letters, digits, "_", "-" and ".".';
    end if;
    perform postrider.require_read_committed('adopt');
    perform postrider.require_cluster();
    deliveries := 0;
    consumers := 0;
    schedules := 0;
    perform postrider.take_claim_locks(array(select co.id from postrider.consumer co));
    perform postrider.lock_workers(clock_timestamp() + interval '2 seconds');
    delete from postrider.worker;
    if p_drop_owed then
        for c in select v.consumer, v.channel, v.behind_since, co.id
                 from postrider.consumers v join postrider.consumer co on co.name = v.consumer and co.channel = v.channel
                 order by co.id
        loop
            consumers := consumers + (c.behind_since is not null)::int;
            update postrider.lease set members = '{}', finished_at = clock_timestamp(), reaped_at = clock_timestamp()
            where consumer_id in (c.id, -c.id) and finished_at is null;
            delete from postrider.waiting where consumer_id in (c.id, -c.id);
            get diagnostics v_dropped = row_count;
            delete from postrider.unique_job where consumer_id = c.id and scope <> 'period';
            deliveries := deliveries + v_dropped;
            delete from postrider.follower where consumer_id = c.id;
            get diagnostics v_dropped = row_count;
            deliveries := deliveries + v_dropped;
            delete from postrider.lookahead where consumer_id = c.id;
            delete from postrider.key_backlog where consumer_id = c.id;
            perform postrider.forget_cancelled(c.id, null);
            v_start := postrider.current_snapshot();
            perform postrider.start_cursors(c.id, v_start);
        end loop;
        update postrider.replay_item i
        set outcome = 'cancelled', ended_at = clock_timestamp(), note = 'dropped when the copy was adopted'
        from postrider.replay r, postrider.delivery d
        where r.ended_at is null and i.replay_id = r.id and i.outcome = 'moved' and d.id = i.delivery_id
          and d.status in ('pending', 'in_flight');
        delete from postrider.delivery where status in ('pending', 'in_flight');
        get diagnostics v_dropped = row_count;
        deliveries := deliveries + v_dropped;
        delete from postrider.alert_sending;
        delete from postrider.set_member;
        delete from postrider.set_mark;
        delete from postrider.job_set where completed_at is null;
    end if;
    -- A database that gets its first name is not a copy, unless p_drop_owed says so.
    if p_drop_owed or p_name <> v_before and v_before <> 'default' then
        update postrider.schedule set paused = true, paused_reason = format('paused when the database was adopted as %s', p_name)
        where not paused;
        get diagnostics schedules = row_count;
    end if;
    insert into postrider.deployment (name) values (p_name) on conflict ((true)) do update set name = excluded.name;
    perform postrider.record_server();
    perform postrider.write_audit(
        p_actor, 'adopt', p_reason, jsonb_build_object('deployment', p_name), jsonb_build_object('deployment', v_before),
        jsonb_build_object('dropped_deliveries', deliveries, 'dropped_consumers', consumers, 'paused_schedules', schedules));
end
$$;
