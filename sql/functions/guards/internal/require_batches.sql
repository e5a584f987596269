-- require_batches(batches): refuses p_batches of claim_due() if it is not an object of handlers and numbers.
-- Raises: PR001.
create or replace function postrider.require_batches(p_batches jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if jsonb_typeof(p_batches) is distinct from 'object' or exists (
           select from jsonb_each_text(case jsonb_typeof(p_batches) when 'object' then p_batches end) b
           where b.value is null or b.value !~ '^[1-9][0-9]{0,4}$') then
        raise exception using errcode = 'PR001',
            message = 'claim_due: batches must be an object of handlers and how many deliveries each takes at once';
    end if;
end
$$;
