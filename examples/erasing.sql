-- A person asks for the erasure of their data. Only a member of postrider_owner may do it; on the command line it is `postrider erase`.
\set ON_ERROR_STOP on

select gen_random_uuid() as worker \gset
select postrider.register_worker(:'worker', 'mail', '[{"name": "mail.send", "event_types": ["user.*"], "max_attempts": 1}]') is not null as registered;
select postrider.publish('user.created', jsonb_build_object('user', jsonb_build_object('id', n, 'mail', 'user' || n || '@example.com')))
from unnest('{41,42}'::int[]) n;

-- Both were handled; the mail to 42 failed and is a dead letter.
create temp table handed as select * from postrider.claim(:'worker', 100);
select postrider.settle(:'worker', lease_id, lease_token, p_failures => jsonb_build_array(jsonb_build_object(
    'seq', seq, 'handler', 'mail.send', 'outcome', 'terminal', 'error_class', 'smtp', 'error', 'user42@example.com does not exist')))
from handed where payload #>> '{user,id}' = '42';
-- Another one waits.
select postrider.publish('user.changed', '{"user": {"id": 42}}', p_available_at => clock_timestamp() + interval '1 hour');

select * from postrider.erase('{"payload": {"path": "$.user.id", "equals": 42}}', null, null, p_dry_run => true);
select * from postrider.erase('{"payload": {"path": "$.user.id", "equals": 42}}', 'ann', 'request 1234');

do $$
begin
    assert (select array_agg(payload::text order by seq) from postrider.message)
         = '{"{\"user\": {\"id\": 41, \"mail\": \"user41@example.com\"}}","{\"erased\": true}","{\"erased\": true}"}', 'the other user stays';
    assert not exists (select from postrider.delivery where last_error like '%user42%'), 'error texts, too';
    assert not exists (select from postrider.dead_letters), 'it cannot be replayed';
    assert (select after from postrider.audits where action = 'erase') = '{"jobs": 1, "messages": 2, "deliveries": 1}';
    assert not exists (select from postrider.audits where filter::text like '%42%' and action = 'erase' and filter ? 'payload'), 'without the value';
end
$$;
