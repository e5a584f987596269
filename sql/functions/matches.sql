-- matches(event_type, patterns): whether an event type fits one of the patterns 'a.b', 'a.*' or '*'.
create or replace function postrider.matches(p_event_type text, p_patterns text[]) returns boolean
    language sql immutable parallel safe
    as $$
    select exists (
        select from pg_catalog.unnest(p_patterns) as pattern
        where pattern = '*' or pattern = p_event_type
           or (pg_catalog.right(pattern, 2) = '.*'
               and pg_catalog.starts_with(p_event_type, pg_catalog.left(pattern, -1))))
    $$;
