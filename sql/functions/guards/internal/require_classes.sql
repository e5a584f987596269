-- require_classes(classes): refuses malformed lists of error classes; classify() describes them.
-- Raises: PR001, with the problem.
-- postrider: after require_keys
create or replace function postrider.require_classes(p_classes jsonb) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
begin
    perform postrider.require_keys(p_classes, '{terminal,transient,outage}', 'the error classes');
    if jsonb_typeof(p_classes) <> 'object' then
        v_problem := 'they must be a JSON object';
    else
        select case
            when jsonb_typeof(l.value) <> 'array' or exists (
                select from jsonb_array_elements(case when jsonb_typeof(l.value) = 'array' then l.value end) as e(entry)
                where jsonb_typeof(e.entry) <> 'string' or e.entry #>> '{}' !~ '^[^*]+[*]?$')
                then format('%s must be a list of error classes, or of prefixes that end in *', l.key)
            when l.key = 'terminal' and exists (
                select from jsonb_array_elements(case when jsonb_typeof(l.value) = 'array' then l.value end) as e(entry)
                where p_classes -> 'transient' @> e.entry or p_classes -> 'outage' @> e.entry)
                then 'an entry is terminal and in another list'
        end into v_problem
        from jsonb_each(p_classes) as l(key, value)
        order by 1 nulls last
        limit 1;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'PR001', message = 'error classes: ' || v_problem,
            hint = 'For example: {"terminal": ["payload_invalid", "http:4*"], "transient": ["sqlstate:23505"]}.';
    end if;
end
$$;
