-- classify(outcome, error_class, classes, honour_terminal): what a reported outcome counts as.
-- classes are the handler's own lists, {"terminal": [...], "transient": [...]}, of error classes or of prefixes that end
-- in '*'. The longest entry that fits decides; without one, a failure of the classes sqlstate:22* and sqlstate:23* (the
-- data is wrong) is terminal and any other one is not, and who reports terminal is believed.
-- honour_terminal false: nothing is terminal, only the ceilings end a cycle.
-- Returns: 'transient' or 'terminal' for these two, any other outcome as it is.
-- postrider: grant worker, operator
create or replace function postrider.classify(
    p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean
) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    v_list text;
begin
    if p_classes <> '{}' and p_honour_terminal and p_outcome in ('transient', 'terminal') then
        select l.list into v_list
        from (values ('terminal'), ('transient')) as l(list)
        cross join lateral pg_catalog.jsonb_array_elements_text(p_classes -> l.list) as e(entry)
        where p_error_class = e.entry
           or (pg_catalog.right(e.entry, 1) = '*'
               and pg_catalog.starts_with(p_error_class, pg_catalog.left(e.entry, -1)))
        order by p_error_class = e.entry desc, pg_catalog.length(e.entry) desc, l.list desc
        limit 1;
    end if;
    return case when p_outcome not in ('transient', 'terminal') then p_outcome
                when not p_honour_terminal or v_list = 'transient' then 'transient'
                when v_list = 'terminal' or pg_catalog.left(p_error_class, 11) in ('sqlstate:22', 'sqlstate:23') then 'terminal'
                else p_outcome end;
end
$$;
