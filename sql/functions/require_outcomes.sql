-- require_outcomes(outcomes): refuses reports that conclude() would not understand.
-- Raises: PR001.
create or replace function postrider.require_outcomes(p_outcomes jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if jsonb_typeof(p_outcomes) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'the outcomes must be a JSON array';
    elsif exists (select from jsonb_array_elements(p_outcomes) as o(item)
                  where coalesce(o.item ->> 'outcome', '') not in (
                      'delivered', 'failed', 'terminal', 'crashed', 'snooze', 'interrupted')) then
        raise exception using errcode = 'PR001',
            message = 'an outcome must be delivered, failed, terminal, crashed, snooze or interrupted';
    end if;
end
$$;
