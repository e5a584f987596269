-- require_handler(handler, event_types, max_attempts, max_crashes): checks the arguments of a registration. Null ceilings are fine.
-- Raises: PR013 for a name without a scope or a malformed pattern, PR001 for ceilings out of range.
create or replace function postrider.require_handler(p_handler text, p_event_types text[], p_max_attempts int, p_max_crashes int)
    returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_handler is null or p_handler !~ '^[a-z0-9_-]+([.][a-z0-9_-]+)+$' or octet_length(p_handler) > 127 then
        raise exception using errcode = 'PR013',
            message = format('invalid handler name %L', p_handler),
            hint = 'Qualify it with a scope, like billing.send_invoice; a-z, 0-9, "_" and "-", at most 127 bytes.';
    elsif coalesce(cardinality(p_event_types), 0) = 0
          or exists (select from unnest(p_event_types) as t
                     where t is null or t !~ '^([*]|[^*]+|[^*]+[.][*])$' or octet_length(t) > 255) then
        raise exception using errcode = 'PR013',
            message = format('invalid event types %L of handler %s', p_event_types, p_handler),
            hint = 'Use exact types (user.created), prefixes (user.*) or *.';
    elsif p_max_attempts not between 1 and 1000 or p_max_crashes not between 1 and 1000 then
        raise exception using errcode = 'PR001',
            message = format('handler %s: max_attempts and max_crashes must be between 1 and 1000', p_handler);
    end if;
end
$$;
