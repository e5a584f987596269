-- unmatched(reach): names that do not match, often because one side is misspelt. For every channel with a consumer it scans the
-- newest p_reach messages, by the index, and the active handlers. Its cost does not grow with the log. With more than 30 channels it scans
-- fewer messages of each, 300000 in all, and types whose comparison would take too long, those with the fewest messages, are left out.
--   kind                     name            meaning
--   target_without_consumer  the target      messages are for a consumer that the channel does not have: nothing receives them
--   type_without_handler     the event type  no handler of the consumers they are for takes messages of this type
--   type_without_message     the event type  a handler takes exactly this type, and no message for its consumer has it
-- The last is left out for channels without messages. messages and last_published_at are of the scanned messages.
-- Returns: at most 1000 rows. closest: the most similar name on the other side, null when none is similar or there are more than 100. Of each
--   kind, names are compared for about half a second, those with the most messages first; then closest is null too.
-- Raises: PR001 for a reach outside 1 to 100000.
-- Touches: message, consumer, handler (read).
-- postrider: grant operator, viewer
-- postrider: after unmatched_names, closest
create or replace function postrider.unmatched(p_reach int default 10000) returns table (
    kind text, channel text, name text, consumer text, handler text, messages bigint, last_published_at timestamptz, closest text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
begin
    if p_reach is null or p_reach not between 1 and 100000 then
        raise exception using errcode = 'PR001', message = format('unmatched: the reach must be between 1 and 100000, got %s', p_reach);
    end if;
    return query
    select f.kind, f.channel, f.name, f.consumer, f.handler, f.messages, f.last_published_at,
           case when f.letters_before <= 500000 then postrider.closest(f.name, f.others) end
    from (select n.*, coalesce(sum(n.letters) over (
                     partition by n.kind order by n.messages desc, n.channel, n.name, n.consumer, n.handler
                     rows between unbounded preceding and 1 preceding), 0) as letters_before
          from (select u.*, (select sum(length(left(u.name, 64)) * length(o)) from unnest(u.others) o) as letters
                from (select k.kind, k.channel, k.name, k.consumer, k.handler, k.messages, k.last_published_at,
                             case when cardinality(k.others) <= 100 then k.others end as others
                      from postrider.unmatched_names(p_reach) k) u) n) f
    order by 1, 2, 3, 4, 5;
end
$$;
