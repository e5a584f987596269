-- bury(deliveries, actor, reason): makes pending deliveries dead letters.
-- The status cannot change from pending to failed directly. So the function claims them and concludes them as terminal in
-- one transaction, as for every other failure: they get a fingerprint, raise an alert and can be replayed. A delivery in
-- flight is refused; a message that is still in the log has no delivery yet.
-- Returns: how many.
-- Raises: PR012 when one is not pending, PR014 when one does not exist, PR001 without actor or reason, 55P03 as
--   take_claim_locks() for ordered consumers, and as lock_deliveries() and lock_keys().
-- Touches: delivery, audit and the tables that conclude() touches.
-- postrider: grant operator
-- postrider: after lock_deliveries, lock_keys, lock_ordered, require_status, conclude, write_audit
create or replace function postrider.bury(p_deliveries bigint[], p_actor text, p_reason text) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '10ms'  -- claims of several roles wait meanwhile
    as $$
declare
    v_token uuid := gen_random_uuid();
    v_now timestamptz := clock_timestamp();
    v_until timestamptz;
    v_count int;
begin
    perform postrider.lock_ordered(p_deliveries);
    v_until := clock_timestamp() + interval '2 seconds';
    perform postrider.lock_deliveries(p_deliveries, v_until);
    perform postrider.lock_keys(array(select d.seq from postrider.delivery d where d.id = any (p_deliveries)), v_until);
    perform postrider.require_status('bury', p_deliveries, 'pending');
    update postrider.delivery
    set status = 'in_flight', claimed_at = v_now, lease_token = v_token, deadline = v_now
    where id = any (p_deliveries);
    select count(*) into v_count
    from postrider.conclude(
        (select jsonb_agg(jsonb_build_object(
                    'delivery', i, 'token', v_token, 'outcome', 'terminal', 'error', 'buried: ' || p_reason,
                    'error_class', 'buried'))
         from (select distinct unnest(p_deliveries)) as n(i)), p_bury => true);
    perform postrider.write_audit(
        p_actor, 'bury', p_reason, jsonb_build_object('deliveries', to_jsonb(p_deliveries)),
        '{"status": "pending"}', '{"status": "failed"}');
    return v_count;
end
$$;
