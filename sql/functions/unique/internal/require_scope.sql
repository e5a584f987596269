-- require_scope(key, scope, period): refuses a unique key, a scope or a period that publish_unique() cannot use.
-- Raises: PR001, PR002 for a key that is too long. The caller's search_path is pinned.
create or replace function postrider.require_scope(p_key text, p_scope text, p_period interval) returns void
    language plpgsql immutable
    as $$
declare
    v_scopes constant text[] := '{until_started,until_finished,period,serial}';
begin
    if coalesce(p_key, '') = '' then
        raise exception using errcode = 'PR001', message = 'publish_unique: the unique key is missing',
            hint = 'Give a text that identifies the work, for example reindex:42. Without a key use postrider.publish.';
    elsif octet_length(p_key) > 255 then
        raise exception using errcode = 'PR002',
            message = format('publish_unique: a unique key must have at most 255 bytes, got %s', octet_length(p_key));
    elsif p_scope is null or p_scope <> all (v_scopes) then
        raise exception using errcode = 'PR001',
            message = format('publish_unique: the scope must be one of %s, got %s', array_to_string(v_scopes, ', '),
                             coalesce(left(p_scope, 100), 'none'));
    elsif (p_scope = 'period') <> (p_period is not null) or p_period <= interval '0' or p_period > interval '10 years'
          or extract(epoch from p_period) > 3660 * 86400::bigint then  -- years with negative days pass the first comparison
        raise exception using errcode = 'PR001',
            message = format('publish_unique: the scope period needs a positive period of at most 10 years, and other scopes have none, got %s '
                             'with the scope %s', coalesce(p_period::text, 'none'), p_scope);
    end if;
end
$$;
