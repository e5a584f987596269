-- replay_make(action, phase, filter, actor, reason, canary, rate, generation, expected): records a replay and freezes its set.
-- The set is the dead letters that match the filter, dead_where()'s, at this time. Later dead letters are not part of it, and items
-- that are replayed or discarded before their turn are skipped.
-- Returns: the replay's id.
-- Raises: PR001 for invalid arguments, PR012 when there are more than expected (null: any number), PR014 when the filter finds
--   nothing, PR003 or PR011 for a generation that cannot run them.
-- Touches: replay, replay_item, audit.
-- postrider: after dead_where, require_expected, require_generation, write_audit
create or replace function postrider.replay_make(
    p_action text, p_phase text, p_filter jsonb, p_actor text, p_reason text, p_canary int, p_rate float8, p_generation bigint,
    p_expected bigint
) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_id bigint;
    v_total int;
begin
    if coalesce(p_canary, 0) < 0 then
        raise exception using errcode = 'PR001', message = p_action || ': the canary must not be negative';
    elsif p_rate not between 1e-6 and 1e9 then
        raise exception using errcode = 'PR001',
            message = p_action || ': the rate must be at least 0.000001 per second; null means no limit';
    end if;
    insert into postrider.replay (phase, actor, reason, filter, generation, canary, canary_passed, rate, tokens_at, total)
    values (p_phase, coalesce(left(p_actor, 255), ''),
            coalesce(left(p_reason, 4000), ''), p_filter, p_generation, coalesce(p_canary, 0),
            coalesce(p_canary, 0) = 0, p_rate, clock_timestamp(), 0)
    returning id into v_id;
    -- In log order, where messages have one.
    execute format(
        'insert into postrider.replay_item (replay_id, delivery_id, number, message_id, cycle)
         select $1, d.id, row_number() over (order by d.published_at, d.seq, d.id), d.message_id, d.cycle
         from postrider.delivery d where %s', v_where)
    using v_id;
    get diagnostics v_total = row_count;
    if v_total = 0 then
        raise exception using errcode = 'PR014', message = p_action || ': the filter matches no dead letter',
            hint = 'Check the filter with select postrider.replay_preview(…).';
    end if;
    perform postrider.require_expected(p_action, p_expected, v_total);
    update postrider.replay set total = v_total where id = v_id;
    if p_generation is not null then
        perform postrider.require_generation(
            array(select i.delivery_id from postrider.replay_item i where i.replay_id = v_id), p_generation);
    end if;
    perform postrider.write_audit(
        p_actor, p_action, p_reason, p_filter, null,
        jsonb_build_object('replay', v_id, 'total', v_total, 'canary', p_canary, 'rate', p_rate,
                           'generation', p_generation));
    return v_id;
end
$$;
