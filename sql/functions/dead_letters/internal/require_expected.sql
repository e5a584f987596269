-- require_expected(action, expected, found): refuses a change of more dead letters than its caller has seen in a preview.
-- p_expected: the number in the preview; null allows any number.
-- Raises: PR012 when there are more.
create or replace function postrider.require_expected(p_action text, p_expected bigint, p_found bigint) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_found > p_expected then
        raise exception using errcode = 'PR012',
            message = format('%s: the filter matches %s dead letters, %s were expected', p_action, p_found, p_expected),
            hint = 'Preview it again. With dead_before the filter excludes later dead letters.';
    end if;
end
$$;
