-- matches(event_type, patterns): whether an event type fits one of the patterns 'a.b', 'a.*' or '*'.
-- postrider: grant operator, viewer, agent
create or replace function postrider.matches(p_event_type text, p_patterns text[]) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    v_pattern text;
begin
    if p_event_type = any (p_patterns) or '*' = any (p_patterns) then
        return true;
    end if;
    foreach v_pattern in array p_patterns loop
        if pg_catalog.right(v_pattern, 2) = '.*'
           and pg_catalog.starts_with(p_event_type, pg_catalog.left(v_pattern, -1)) then
            return true;
        end if;
    end loop;
    return false;
end
$$;
