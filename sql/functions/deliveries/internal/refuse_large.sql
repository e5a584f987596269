-- refuse_large(deliveries): makes pending deliveries of messages that are too large to be handed out dead letters, of the error class
-- too_large, whatever the handlers' policies say.
-- The status cannot change from pending to failed directly, so they pass through in_flight, as in bury(). Their circuits do not count
-- it.
-- Touches: delivery and the tables that conclude() touches.
-- postrider: after conclude
create or replace function postrider.refuse_large(p_deliveries bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_token uuid := gen_random_uuid();
    v_now timestamptz := clock_timestamp();
begin
    update postrider.delivery
    set status = 'in_flight', claimed_at = v_now, lease_token = v_token, deadline = v_now
    where id = any (p_deliveries) and status = 'pending';
    perform postrider.conclude(
        (select jsonb_agg(jsonb_build_object(
                    'delivery', d.id, 'token', v_token, 'outcome', 'terminal', 'error_class', 'too_large', 'error', format(
                        'the message is too large to be handed out: payload %s bytes of at most 1048576, headers %s of at most 65536',
                        octet_length(d.payload::text),
                        coalesce(octet_length(d.headers::text), 0))))
         from postrider.delivery d where d.id = any (p_deliveries)), p_bury => true);
end
$$;
