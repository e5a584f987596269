-- retire_handler(consumer, handler, channel): retires a handler: messages behind the cursor are no longer for it. Messages
-- and deliveries before that stay with it; its circuit and its history are deleted.
-- Raises: PR011 when there is no such active handler, PR005 outside READ COMMITTED: an old snapshot would show an old cursor,
--   and messages claimed behind it would have no handler.
-- Touches: handler, circuit, delivery, run_bucket, consumer, audit.
-- postrider: grant operator
-- postrider: after take_lock, cursor_of, refresh_consumer, refresh_limits, release_failed, mark_held, require_read_committed, audit_handler, lock_claims
create or replace function postrider.retire_handler(
    p_consumer text, p_handler text, p_channel text default 'outbox_default'
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_id int;
    h postrider.handler;
begin
    perform postrider.require_read_committed('retire_handler');
    select id into v_id from postrider.consumer where name = p_consumer and channel = p_channel;
    perform postrider.take_lock(postrider.lock_claims(), v_id, 'claims of consumer ' || v_id);
    select * into h from postrider.handler where consumer_id = v_id and name = p_handler and retired_at is null;
    update postrider.handler
    set retired_at = clock_timestamp(), ends = postrider.cursor_of(v_id)
    where consumer_id = v_id and name = p_handler and retired_at is null;
    if not found then
        raise exception using errcode = 'PR011',
            message = format('consumer %s on %s has no active handler %s', p_consumer, p_channel, p_handler);
    end if;
    perform postrider.audit_handler(h, 'retire_handler');
    perform postrider.release_failed(v_id, p_handler, k.probe_at)
    from postrider.circuit k where k.consumer_id = v_id and k.handler = p_handler and k.state = 'trial';
    delete from postrider.circuit where consumer_id = v_id and handler = p_handler;
    delete from postrider.run_bucket where consumer_id = v_id and handler = p_handler;
    perform postrider.mark_held(v_id, p_handler, false);
    perform postrider.refresh_consumer(v_id);
    perform postrider.refresh_limits(v_id);
end
$$;
