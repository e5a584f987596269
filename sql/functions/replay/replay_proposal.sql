-- replay_proposal(replay): the preview that the proposer of a replay has seen: replay_preview()'s object.
-- Returns: null for a replay that was never proposed.
-- Raises: PR014 when there is no such replay.
-- postrider: grant operator, agent
create or replace function postrider.replay_proposal(p_replay bigint) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_preview jsonb;
begin
    select preview into v_preview from postrider.replay where id = p_replay;
    if not found then
        raise exception using errcode = 'PR014', message = format('there is no replay %s', coalesce(p_replay::text, '(null)'));
    end if;
    return v_preview;
end
$$;
