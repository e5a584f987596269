-- group_shown(consumer, channel, handler, fingerprint, span, viewer): one group of dead letters, with the rights of the caller.
-- span: hour, day or week, with buckets of 1, 10 and 60 minutes. viewer is visible_columns()'s.
-- Returns: {"group": a row of the view dead_letter_groups, "span", "bucket_s", "from", "to", "buckets": [{"since", "died"}], "rollouts":
--   [{"at", "generation", "version"}]}; null when the group has no dead letters. Deaths are counted from the alerts, including those of
--   dead letters that were replayed or discarded since. Rollouts are those that began in the span.
-- Raises: PR001 for another span.
-- postrider: grant operator, viewer, agent
-- postrider: after history_span, view_page, shown, alerts, rollouts, dead_letter_groups
create or replace function postrider.group_shown(
    p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_span text default 'day', p_viewer boolean default false
) returns json
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
    as $$
declare
    h constant record := postrider.history_span(p_span);
begin
    return (
        select json_build_object(
            'group', g.shown, 'span', p_span, 'bucket_s', h.width * 60, 'from', h.from_at, 'to', h.to_at,
            'buckets', (
                select coalesce(json_agg(json_build_object('since', b.since, 'died', b.died) order by b.since), '[]')
                from (select to_timestamp(floor(extract(epoch from a.at) / 60 / h.width) * h.width * 60) as since, count(*) as died
                      from postrider.alerts a
                      where a.at >= h.from_at and a.kind = 'dead_letter' and a.fingerprint = p_fingerprint and a.consumer = p_consumer
                        and a.channel = p_channel and a.handler_name = p_handler
                      group by 1) b),
            'rollouts', (
                select coalesce(json_agg(json_build_object(
                           'at', r.first_at, 'generation', r.generation::text, 'version', r.version) order by r.first_at), '[]')
                from postrider.rollouts r
                where r.consumer = p_consumer and r.channel = p_channel and r.first_at >= h.from_at))
        from postrider.view_page(
            'dead_letter_groups', jsonb_build_object(
                'consumer', p_consumer, 'channel', p_channel, 'handler', p_handler, 'fingerprint', p_fingerprint),
            p_viewer => p_viewer, p_ids_as_text => true) g);
end
$$;
