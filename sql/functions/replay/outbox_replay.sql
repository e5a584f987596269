-- outbox_replay(event_id, new_generation, replayed_by): gives the dead letters of a message a new cycle.
-- Every handler whose delivery of it is dead runs it again, at once. The cycle that died becomes an entry of
-- failure_history (revive() lists its keys); attempts, last_error and first_failed_at are cleared; id, idempotency key and
-- payload stay, and so do the entries in event_handled, so that a handler does not repeat an effect. new_generation: it moves
-- to that generation, to its channel outbox_gen_<N> and to the consumer of the same name there; null: it stays where it is.
-- replayed_by: a person or a program, kept in the history and the audit.
-- Returns: the new cycle (the highest, when several handlers had died).
-- Raises: PR014 no such message, PR012 none of its deliveries is dead (of two concurrent replays, the second gets this error)
--   or another job holds its unique key or a reader of its dead-letter queue in pgmq has it, PR003
--   or PR011 no consumer can run it in that generation, PR001 replayed_by is missing.
-- Touches: delivery, audit; rings.
-- postrider: grant operator
-- postrider: after lock_ordered, revive, require_generation, require_key, require_unread_copy, write_audit
create or replace function postrider.outbox_replay(event_id uuid, p_new_generation bigint, p_replayed_by text)
    returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'  -- claims of several roles wait meanwhile
    as $$
declare
    v_ids bigint[];
    v_statuses jsonb;
    v_cycles jsonb;
    v_cycle int;
begin
    perform postrider.lock_ordered(array(select d.id from postrider.delivery d where d.message_id = outbox_replay.event_id));
    select array_agg(d.id) filter (where d.status = 'failed' and d.deleted_at is null),
           jsonb_object_agg(d.id, case when d.deleted_at is null then d.status else 'discarded' end)
    into v_ids, v_statuses
    from postrider.delivery d where d.message_id = outbox_replay.event_id;
    if v_statuses is null and not exists (select from postrider.message m where m.id = outbox_replay.event_id) then
        raise exception using errcode = 'PR014', message = format('there is no message %s', event_id);
    end if;
    perform postrider.require_generation(v_ids, p_new_generation);
    select jsonb_object_agg(r.delivery_id, r.cycle), max(r.cycle) into v_cycles, v_cycle
    from postrider.revive(v_ids, 'failed', p_new_generation, p_replayed_by) r;
    if v_cycle is null then
        perform postrider.require_key('outbox_replay', v_ids, 'outbox_gen_' || p_new_generation),
                postrider.require_unread_copy('outbox_replay', v_ids);
        raise exception using errcode = 'PR012',
            message = format('no delivery of message %s is dead%s', event_id, (
                select ': ' || string_agg(distinct case when d.deleted_at is null then d.status else 'discarded' end, ', ')
                from postrider.delivery d where d.message_id = outbox_replay.event_id)),
            hint = 'To repeat a handler that has succeeded, use postrider.redeliver. Restore a discarded dead letter first: postrider.restore.';
    end if;
    perform postrider.write_audit(
        p_replayed_by, 'outbox_replay', 'replay of one message',
        jsonb_build_object('ids', jsonb_build_array(event_id)), v_statuses,
        jsonb_build_object('generation', p_new_generation, 'cycles', v_cycles));
    return v_cycle;
end
$$;
