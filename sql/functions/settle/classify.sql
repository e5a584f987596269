-- classify(outcome, error_class, classes, honour_terminal): the outcome that a reported outcome counts as.
-- classes are the handler's own lists, {"terminal": [...], "transient": [...]}, of error classes or of prefixes that end
-- in '*'. The longest entry that fits decides; without one, a failure of the classes sqlstate:22* and sqlstate:23* (the
-- data is wrong) is terminal, and any other failure is as reported.
-- honour_terminal false: nothing is terminal, only the ceilings end a cycle.
-- Returns: 'transient' or 'terminal' for these two, any other outcome as it is.
-- One expression, which is inlined: most handlers have no lists.
-- postrider: grant worker, operator
-- postrider: after class_list
create or replace function postrider.classify(
    p_outcome text, p_error_class text, p_classes jsonb, p_honour_terminal boolean
) returns text
    language sql immutable parallel safe
    as $$
    select case when p_outcome not in ('transient', 'terminal') then p_outcome
                when not p_honour_terminal then 'transient'
                else coalesce(case when p_classes <> '{}' and p_honour_terminal then postrider.class_list(p_error_class, p_classes) end,
                              case when pg_catalog.left(p_error_class, 11) in ('sqlstate:22', 'sqlstate:23') then 'terminal' end,
                              p_outcome) end
    $$;
