-- require_slot_message(message): refuses the message of a schedule that could not be published. It is published, and taken back.
-- Raises: PR001 for a malformed message and for fields that follow from the slot, PR002 for one that is too large.
-- Touches: message (rolled back).
-- postrider: after publish_many
create or replace function postrider.require_slot_message(p_message jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_key text := (select k from unnest('{id,occurred_at,available_at,idempotency_key}'::text[]) k where p_message ? k limit 1);
begin
    if jsonb_typeof(p_message) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = 'define_schedule: message must be a JSON object with an event_type';
    elsif v_key is not null then
        raise exception using errcode = 'PR001',
            message = format('define_schedule: message: %s follows from the slot and cannot be given', v_key);
    end if;
    perform postrider.publish_many(jsonb_build_array(p_message));
    raise raise_exception;
exception
    when raise_exception then
        null;
    when sqlstate 'PR001' or sqlstate 'PR002' or data_exception or integrity_constraint_violation then
        raise exception using errcode = case when sqlstate = 'PR002' then sqlstate else 'PR001' end,
            message = 'define_schedule: ' || replace(regexp_replace(sqlerrm, '^define_schedule: ', ''), 'publish_many: message 1', 'message');
end
$$;
