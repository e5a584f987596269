-- remove_pgmq_pipeline(queue, actor, reason): ends the copies of this queue's dead letters. Existing copies are removed from
-- <queue>_dlq and from the table for diagnostics; the dead letters stay. Queues and table stay, with messages and rows of other origin.
-- The caller is a superuser, or a member of postrider_owner that owns the queue.
-- Returns: how many copies it removed.
-- Raises: PR014 when dead letters of the queue have no copies, PR001 without actor or reason.
-- Touches: pgmq_pipeline, pgmq_copy, audit.
-- postrider: after drop_pgmq_copy, write_audit
create or replace function postrider.remove_pgmq_pipeline(
    p_queue text, p_actor text default session_user, p_reason text default 'not given'
) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count bigint;
    v_dlq text := format('pgmq.%I', 'q_' || p_queue || '_dlq');
begin
    if not exists (select from postrider.pgmq_pipeline p where p.queue = p_queue) then
        raise exception using errcode = 'PR014', message = format('the dead letters of the queue %L have no copies in pgmq', p_queue),
            hint = 'The view postrider.pgmq_pipelines lists the queues whose dead letters have copies.';
    end if;
    select count(postrider.drop_pgmq_copy(k.delivery_id)) into v_count from postrider.pgmq_copy k where k.queue = p_queue;
    delete from postrider.pgmq_pipeline p where p.queue = p_queue;
    if to_regclass(v_dlq) is not null then
        execute format('drop trigger if exists postrider_copy_left on %s', v_dlq);
        execute format('drop trigger if exists postrider_copies_left on %s', v_dlq);
    end if;
    perform postrider.write_audit(p_actor, 'remove_pgmq_pipeline', p_reason, jsonb_build_object('queue', p_queue));
    return v_count;
end
$$;
