-- exchange_packed(worker, limit, …): exchange() for programs: the same arguments and promises, but one row with the
-- summary and all messages in one binary value, which is several times cheaper to make, to send and to read.
-- It keeps settings for its plans in the session, so the connection should do nothing else.
-- Returns: one handed_out; `rows` is null, and `messages` is null when nothing was claimed. A claim ends early at
--   16 MB of payloads that are large.
-- Raises: what exchange() raises. Touches: what exchange() touches.
-- postrider: after keep_plans, require_cluster, require_worker, hand_out
create or replace function postrider.exchange_packed(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns postrider.handed_out
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_known text := current_setting('postrider.worker', true);  -- the worker's id and its consumer's
begin
    if left(v_known, 36) is distinct from p_worker::text then
        perform postrider.require_cluster();
        perform postrider.keep_plans();
        v_known := set_config('postrider.worker', p_worker || ' ' || postrider.require_worker(p_worker), false);
    end if;
    return postrider.hand_out(p_worker, substr(v_known, 38)::int, p_limit, p_lease, p_token, p_delivered, p_failures,
                              p_deadline, true);
end
$$;
