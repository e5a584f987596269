-- Promises about replays that have to be approved:
--   a proposal freezes its set and keeps its preview, and moves nothing
--   another user approves it, once, and before it expires; then it is a replay like any other
--   a refused or forgotten proposal leaves everything as it was
--   it counts as active until it has ended: an operator has to decide
--   the audit has the proposer, the approver and the user who cancelled
\ir ../include/promises.sql
\ir ../include/dead.sql

-- propose(filter, actor, reason, canary): as another database user, who cannot approve it.
drop role if exists test_proposer;
create role test_proposer in role postrider_agent;
create function promise.propose(p_filter jsonb, p_actor text, p_reason text, p_canary int default 0) returns bigint
    language plpgsql
    as $$
declare
    v_me text := session_user;
    v_replay bigint;
begin
    perform set_config('session_authorization', 'test_proposer', false);
    v_replay := postrider.replay_propose(p_filter, p_actor, p_reason, p_canary);
    perform set_config('session_authorization', v_me, false);
    return v_replay;
end
$$;

-- a proposal freezes its set and keeps its preview, and moves nothing
do $$
declare
    w uuid := promise.worker('proposals', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 1}]');
    v_replay bigint;
    r record;
begin
    perform promise.publish('proposals', 3);
    commit;
    call promise.die(w, 'terminal', 'no user', 'missing');
    v_replay := promise.propose('{"error_class": "missing"}', 'agent:a', 'the users are back', 1);
    perform promise.publish('proposals', 2);
    commit;
    call promise.die(w, 'terminal', 'no user', 'missing');
    select * into r from postrider.replays where replay = v_replay;
    assert (r.phase, r.total, r.waiting, r.actor, r.approved_by) is not distinct from ('proposed', 3, 3::bigint, 'agent:a', null::text), r;
    assert r.expires_at between clock_timestamp() + interval '6 days' and clock_timestamp() + interval '7 days';
    assert (postrider.replay_proposal(v_replay) ->> 'total')::int = 3;
    assert postrider.figures() #> '{figures,totals,replays_active}' = '1';
    assert not exists (select from postrider.replay_step());
    assert (select count(*) from postrider.dead_letters where channel = 'proposals') = 5;

    -- not by the user who proposed it, not twice, and not without a reason
    perform promise.raises(format($q$select postrider.replay_approve(%s, 'agent:a', 'mine')$q$, v_replay), 'PR012');
    perform promise.raises(format($q$select postrider.replay_approve(%s, 'ann', ' ')$q$, v_replay), 'PR001');
    perform promise.raises($q$select postrider.replay_approve(0, 'ann', 'why')$q$, 'PR014');
    perform promise.raises($q$select postrider.replay_proposal(0)$q$, 'PR014');
    perform promise.raises(format($q$select postrider.replay_resume(%s, 'agent:a', 'why')$q$, v_replay), 'PR012');
    perform promise.raises(format($q$select postrider.replay_pause(%s, 'agent:a', 'why')$q$, v_replay), 'PR012');
    perform postrider.replay_approve(v_replay, 'ann', 'looked at it');
    perform promise.raises(format($q$select postrider.replay_approve(%s, 'bob', 'me too')$q$, v_replay), 'PR012');
    select * into r from postrider.replays where replay = v_replay;
    assert (r.phase, r.canary_passed, r.actor, r.approved_by) = ('canary', false, 'agent:a', 'ann'), r;

    -- the canary first, then the rest of the frozen set and nothing else
    perform postrider.replay_step();
    assert promise.run(w, 10, 'delivered') = 1;
    perform postrider.replay_step();
    perform postrider.replay_step();
    assert promise.run(w, 10, 'delivered') = 2;
    perform postrider.replay_step();
    assert (select phase = 'finished' and delivered = 3 from postrider.replay_status(v_replay));
    assert postrider.figures() #> '{figures,totals,replays_active}' = '0';
    assert (select count(*) from postrider.dead_letters where channel = 'proposals') = 2;
    assert (select array_agg(action || ' ' || actor order by id) from postrider.audit)
         = '{replay_propose agent:a,replay_approve ann}';
end
$$;

-- items that were replayed otherwise meanwhile are skipped
do $$
declare
    v_replay bigint := promise.propose('{"error_class": "missing"}', 'agent:a', 'the users are back');
    v_one uuid := (select id from postrider.dead_letters where channel = 'proposals' limit 1);
begin
    perform postrider.outbox_replay(v_one, null, 'ann');
    perform postrider.replay_approve(v_replay, 'ann', 'looked at it');
    perform postrider.replay_step();
    assert (select moved = 1 and skipped = 1 from postrider.replay_status(v_replay));
end
$$;

-- a refused or forgotten proposal leaves everything as it was
do $$
declare
    w uuid := promise.worker('forgotten', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 1}]');
    v_refused bigint;
    v_forgotten bigint;
    v_waiting bigint;
begin
    perform promise.publish('forgotten', 2);
    commit;
    call promise.die(w, 'terminal', 'no user', 'missing');
    v_refused := promise.propose('{"channel": "forgotten"}', 'agent:a', 'please');
    v_forgotten := promise.propose('{"channel": "forgotten"}', 'agent:a', 'please');
    perform postrider.replay_cancel(v_refused, 'ann', 'not now');
    perform promise.raises(format($q$select postrider.replay_approve(%s, 'ann', 'yes')$q$, v_refused), 'PR012');
    v_waiting := promise.propose('{"channel": "forgotten"}', 'agent:a', 'please');
    update postrider.replay set expires_at = clock_timestamp() where id in (v_refused, v_forgotten);
    perform promise.raises(format($q$select postrider.replay_approve(%s, 'ann', 'yes')$q$, v_forgotten), 'PR012');
    assert exists (select from postrider.maintain() m where m = format('replay %s: not approved in time', v_forgotten));
    assert (select array_agg(phase) from postrider.replays where replay in (v_refused, v_forgotten)) = '{cancelled,cancelled}';
    assert (select bool_and(ended_at is not null) from postrider.replays where replay in (v_refused, v_forgotten)), 'they are over';
    assert (select phase from postrider.replays where replay = v_waiting) = 'proposed', 'it has time left';
    assert (select count(*) from postrider.dead_letters where channel = 'forgotten') = 2;
    assert (select actor = 'postrider' from postrider.audit where action = 'replay_cancel' order by id desc limit 1);
    perform promise.raises($q$select postrider.replay_propose('{"channel": "nowhere"}', 'agent:a', 'please')$q$, 'PR014');
    perform promise.raises($q$select postrider.replay_propose('{}', 'agent:a', 'please', p_rate => 0)$q$, 'PR001');
end
$$;
drop role test_proposer;
