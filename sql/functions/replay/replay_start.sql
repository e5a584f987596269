-- replay_start(filter, actor, reason, canary, rate, generation, expected): starts a replay of many dead letters.
-- The set is frozen now: later dead letters are not part of it, and items that are replayed or discarded before their turn are
-- skipped. Workers are notified, and move the items by replay_step(); operators may call it as well.
-- filter is dead_where()'s, generation outbox_replay()'s. canary: the number that runs first; the rest runs only if none of
-- them dies again. rate: the maximum number per second (null: unlimited). expected: the number that a preview has shown.
-- Returns: the replay's id.
-- Raises: PR001 for invalid arguments, PR012 when there are more than expected, PR014 when the filter finds nothing, PR003 or
--   PR011 for a generation that cannot run them.
-- Touches: replay, replay_item, audit; wakes workers.
-- postrider: grant operator
-- postrider: after replay_make, notify_workers
create or replace function postrider.replay_start(
    p_filter jsonb, p_actor text, p_reason text, p_canary int default 0, p_rate float8 default null,
    p_generation bigint default null, p_expected bigint default null
) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_id bigint := postrider.replay_make(
        'replay_start', case when p_canary > 0 then 'canary' else 'running' end, p_filter, p_actor, p_reason, p_canary, p_rate,
        p_generation, p_expected);
begin
    perform postrider.notify_workers('replay');
    return v_id;
end
$$;
