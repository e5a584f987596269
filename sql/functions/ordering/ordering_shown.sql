-- ordering_shown(ordered, hold_for): the ordering of a consumer as set_ordering() takes it: none, hold, skip or a time.
-- Stable, one query and without settings, so that the planner inlines it.
-- postrider: grant operator, viewer, agent
create or replace function postrider.ordering_shown(p_ordered boolean, p_hold_for interval) returns text
    language sql stable
    as $$
    select case when not p_ordered then 'none' when p_hold_for is null then 'hold' when p_hold_for = interval '0' then 'skip'
                else p_hold_for::text end
    $$;
