-- Promises about approvals, and about agents:
--   the database user who proposes a replay cannot approve it, under no name; another one can
--   the holder of an access token is another person for one user, if the token is older than the proposal
--   an agent reads what a viewer reads and error texts, proposes, and can do nothing else
\ir ../../sql/include/promises.sql
\ir ../../sql/include/dead.sql
drop role if exists test_approval_agent, test_approval_ann, test_approval_serve;
create role test_approval_agent login in role postrider_agent;
create role test_approval_ann login in role postrider_operator;
create role test_approval_serve login in role postrider_operator;

select set_config('promise.w', promise.worker('four', '[{"name": "a.x", "event_types": ["*"]}]')::text, false) \g /dev/null
select promise.publish('four', 1, 'one'), promise.publish('four', 1, 'two') \g /dev/null
call promise.die(current_setting('promise.w')::uuid);

-- an agent proposes and cannot approve, start, cancel, discard, reveal, or see a payload
set session authorization test_approval_agent;
select postrider.replay_propose('{"event_type": "one"}', 'agent:x', 'please') as proposed \gset
do $$
declare
    v_call text;
begin
    foreach v_call in array array[
        'replay_approve(1, ''ann'', ''x'')', 'replay_start(''{}'', ''ann'', ''x'')', 'replay_cancel(1, ''ann'', ''x'')',
        'replay_pause(1, ''ann'', ''x'')', 'discard(''{}'', ''ann'', ''x'')', 'reveal(null, 1, null, ''ann'', ''x'')',
        'dead_page()', 'bury(''{1}'', ''ann'', ''x'')', 'publish(''a'')', 'claim(null)', 'register_worker(null, null, null)',
        'set_retention(''audit'', ''1 day'')', 'create_token(null, null, null, null, null, null, null)', 'find_token(null)',
        'edit_and_replay(1, null, null, ''a'', ''b'')', 'transfer_consumer(''reader'', ''test_approval_agent'')', 'maintain()'] loop
        perform promise.raises('select postrider.' || v_call, '42501');
    end loop;
    assert (select count(*) = 2 and bool_and(payload is null and headers is null and metadata is null and last_error = 'no')
            from postrider.dead_list());
    assert (select count(*) from (select last_error, failure_history from postrider.dead_letters) d) = 2;
    perform promise.raises('select payload from postrider.dead_letters', '42501');
    perform promise.raises('select payload from postrider.outbox', '42501');
    assert (postrider.replay_preview('{}') ->> 'total')::int = 2;
    assert (select phase from postrider.replay_status(1)) = 'proposed';
    perform postrider.figures();
end
$$;
-- a hundred proposals at a time
select count(postrider.replay_propose('{"event_type": "one"}', 'agent:x', 'please')) from generate_series(1, 99) \g /dev/null
select promise.raises($$select postrider.replay_propose('{"event_type": "one"}', 'agent:x', 'please')$$, 'PR012');
reset session authorization;
delete from postrider.replay where id > :proposed;
-- and none beside a million dead letters that wait already
update postrider.replay set total = 1000000 where id = :proposed;
set session authorization test_approval_agent;
select promise.raises($$select postrider.replay_propose('{"event_type": "one"}', 'agent:x', 'please')$$, 'PR012');
reset session authorization;
update postrider.replay set total = 1 where id = :proposed;

-- another database user approves; the same one cannot, whatever it calls itself
set session authorization test_approval_ann;
select promise.raises($$select postrider.replay_approve(1, 'agent:x', 'x')$$, 'PR012');
select promise.raises($$select postrider.replay_approve(1, 'Agent:X ', 'x')$$, 'PR012');
select postrider.replay_approve(1, 'ann', 'looked at it');
select postrider.replay_propose('{"event_type": "two"}', 'ann', 'please') as mine \gset
select promise.raises(format('select postrider.replay_approve(%s, ''ann '', ''x'')', :mine), 'PR012');
select promise.raises(format('select postrider.replay_approve(%s, ''bob'', ''x'')', :mine), 'PR012');
-- not with a token that it makes for that, nor with one that is unknown, revoked or a viewer's
select postrider.create_token('late', sha256('late'), 'operator', null, null, 'ann', 'a test');
select promise.raises(format('select postrider.replay_approve(%s, ''late'', ''x'', sha256(''late''))', :mine), 'PR012');
select promise.raises(format('select postrider.replay_approve(%s, ''late'', ''x'', sha256(''unknown''))', :mine), 'PR012');

-- one user that acts for the holders of tokens
set session authorization test_approval_serve;
select postrider.create_token('early', sha256('early'), 'operator', null, null, 'ann', 'a test'),
       postrider.create_token('watcher', sha256('watcher'), 'viewer', null, null, 'ann', 'a test'),
       postrider.create_token('gone', sha256('gone'), 'admin', null, null, 'ann', 'a test'),
       postrider.revoke_token('gone', 'ann', 'a test') \g /dev/null
select postrider.replay_propose('{"event_type": "two"}', 'agent:y', 'please') as shared \gset
select promise.raises(format('select postrider.replay_approve(%s, ''x'', ''x'', sha256(''watcher''))', :shared), 'PR012');
select promise.raises(format('select postrider.replay_approve(%s, ''x'', ''x'', sha256(''gone''))', :shared), 'PR012');
select promise.raises(format('select postrider.replay_approve(%s, ''another'', ''x'', sha256(''early''))', :shared), 'PR012');  -- its holder is early
select postrider.replay_approve(:shared, 'early', 'looked at it', sha256('early'));
reset session authorization;
do $$
begin
    assert (select array_agg(approved_by order by replay) from postrider.replays) = '{ann,NULL,early}';
    assert (select array_agg(role order by id) from postrider.audit where action = 'replay_approve') = '{test_approval_ann,test_approval_serve}';
end
$$;
drop role test_approval_agent, test_approval_ann, test_approval_serve;
