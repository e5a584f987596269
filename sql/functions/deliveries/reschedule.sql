-- reschedule(deliveries, available_at, actor, reason): changes when waiting deliveries come due (null: now).
-- Returns: how many.
-- Raises: PR012 when one is not pending or waits for its ordering key, PR014 when one does not exist, PR001 without actor or reason,
--   55P03 as lock_deliveries().
-- Touches: delivery, audit; rings.
-- postrider: grant operator
-- postrider: after lock_deliveries, require_status, write_audit, ring
create or replace function postrider.reschedule(
    p_deliveries bigint[], p_available_at timestamptz, p_actor text, p_reason text
) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_before jsonb;
    v_count int;
begin
    perform postrider.lock_deliveries(p_deliveries, clock_timestamp() + interval '2 seconds');
    perform postrider.require_status('reschedule', p_deliveries, 'pending');
    if exists (select from postrider.delivery d where d.id = any (p_deliveries) and not d.heads) then
        raise exception using errcode = 'PR012', message = 'reschedule: a delivery waits for its ordering key',
            hint = 'It is due when the message before it has ended: the view postrider.blocked_keys lists that message.';
    end if;
    select jsonb_object_agg(id, available_at) into v_before from postrider.delivery where id = any (p_deliveries);
    update postrider.delivery set available_at = coalesce(p_available_at, clock_timestamp()) where id = any (p_deliveries);
    get diagnostics v_count = row_count;
    perform postrider.ring(c.channel)
    from (select distinct co.channel from postrider.delivery d join postrider.consumer co on co.id = d.consumer_id
          where d.id = any (p_deliveries) order by 1) c;
    perform postrider.write_audit(
        p_actor, 'reschedule', p_reason, jsonb_build_object('deliveries', to_jsonb(p_deliveries)), v_before,
        jsonb_build_object('available_at', p_available_at));
    return v_count;
end
$$;
