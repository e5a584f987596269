-- error_excerpt(text, length): an error text for a list. A longer text is shortened to its beginning and its end, because the cause
-- often comes last; the end starts with a whole word. length: maximum number of characters; null means all of them.
-- postrider: grant operator, agent
create or replace function postrider.error_excerpt(p_text text, p_length int) returns text
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
begin
    return case when p_length is null or length(p_text) <= p_length then p_text
                when p_length < 100 then left(p_text, p_length)
                else left(p_text, p_length / 2) || E'\n…\n'
                     || regexp_replace(right(p_text, p_length - p_length / 2 - 3), '^[^[:space:]]+[[:space:]]+', '') end;
end
$$;
