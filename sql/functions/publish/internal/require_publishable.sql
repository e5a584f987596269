-- require_publishable(call, message, fixed): refuses a message that could not be published later. It publishes the message in a
-- subtransaction and rolls that back. p_call is the name of the calling function, p_fixed are the fields that the message must not
-- have.
-- Raises: PR001 for a malformed message and for one of those fields, PR002 for one that is too large.
-- Touches: message (rolled back).
-- postrider: after publish_many
create or replace function postrider.require_publishable(p_call text, p_message jsonb, p_fixed text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_key text := (select k from unnest(p_fixed) k where p_message ? k limit 1);
begin
    if jsonb_typeof(p_message) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = p_call || ': message must be a JSON object with an event_type';
    elsif v_key is not null then
        raise exception using errcode = 'PR001', message = format('%s: message: %s must not be set', p_call, v_key);
    end if;
    perform postrider.publish_many(jsonb_build_array(p_message));
    raise raise_exception;
exception
    when raise_exception then
        null;
    when sqlstate 'PR001' or sqlstate 'PR002' or data_exception or integrity_constraint_violation then
        raise exception using errcode = case when sqlstate = 'PR002' then sqlstate else 'PR001' end,
            message = p_call || ': ' || replace(
                case when starts_with(sqlerrm, p_call || ': ') then substr(sqlerrm, length(p_call) + 3) else sqlerrm end,
                'publish_many: message 1', 'message');
end
$$;
