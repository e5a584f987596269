-- Promises of schedules that must not overlap, that are paused, run or backfilled, and that cannot fire:
--   skip skips while the last message is behind the cursor, in a lease, waits or is retried; not once it is delivered or dead
--   queue_one holds one slot back until the last message has ended, and skips the others
--   allow makes no check; a consumer that does not take the message does not count
--   a pause fires nothing, and neither does the end of it; run_schedule() and backfill_schedule() publish also during a pause
--   a schedule whose message is refused is paused with the reason, and the others fire
--   an owner and operators change a schedule, other roles do not; a worker that may not publish defines none; a schedule that workers
--     declare belongs to the owner of their consumer
\ir ../include/promises.sql
set timezone = 'UTC';

create function promise.define(p_name text, p_more jsonb default '{}') returns text
    language sql
    as $$
    select postrider.define_schedule(
        p_name, '{"cron": "* * * * *"}' || jsonb_build_object('message', jsonb_build_object('event_type', 'tick', 'channel', p_name)) || p_more)
    $$;
-- fire(name): fires a slot that is due now. Returns fired, skipped and whether one is queued.
create function promise.fire(p_name text, out fired int, out skipped int, out queued boolean)
    language plpgsql
    as $$
begin
    update postrider.schedule
    set next_slot = coalesce(last_slot, date_trunc('minute', clock_timestamp()) - interval '10 minutes') + interval '1 minute',
        next_at = clock_timestamp() - interval '1 second'
    where name = p_name;
    -- Only this slot: further ones would be due, too.
    update postrider.schedule set cron = '0 0 1 1 *', parsed = postrider.parse_cron('0 0 1 1 *') where name = p_name;
    select f.fired, f.skipped into fired, skipped from postrider.fire_due() f;
    queued := (select s.queued_slot is not null from postrider.schedule s where s.name = p_name);
end
$$;

-- skip
do $$
declare
    v_worker uuid := promise.worker('skips');
    v_lease record;
    f record;
begin
    perform promise.worker('skips', '[{"name": "test.other", "event_types": ["other"]}]', 'uninterested');
    perform promise.define('skips', '{"overlap": "skip"}');
    f := promise.fire('skips');
    commit;
    assert f = row(1, 0, false), f;
    f := promise.fire('skips');
    commit;
    assert f = row(0, 1, false), 'behind the cursor';
    select lease_id, lease_token, seq into strict v_lease from postrider.claim(v_worker, 10);
    commit;
    f := promise.fire('skips');
    commit;
    assert f = row(0, 1, false), 'in a lease';
    perform postrider.settle(v_worker, v_lease.lease_id, v_lease.lease_token,
                             p_failures => jsonb_build_array(jsonb_build_object('seq', v_lease.seq, 'outcome', 'transient', 'error', 'no')));
    f := promise.fire('skips');
    commit;
    assert f = row(0, 1, false), 'it is retried';
    commit;
    update postrider.delivery set max_attempts = 1 where channel = 'skips';
    perform promise.due_now('skips');
    perform r.* from postrider.claim_due(v_worker, 10) d cross join lateral postrider.settle_due(
        v_worker, jsonb_build_array(jsonb_build_object('delivery', d.delivery_id, 'token', d.lease_token, 'outcome', 'terminal', 'error', 'no'))) r;
    assert (select status from postrider.delivery where channel = 'skips') = 'failed';
    f := promise.fire('skips');
    commit;
    assert f = row(1, 0, false), 'a dead letter has ended';
    assert promise.drain(v_worker) = 1;
    commit;
    f := promise.fire('skips');
    commit;
    assert f = row(1, 0, false), 'delivered';
    assert (select (s.fired, s.skipped) = (3, 3) from postrider.schedule s where name = 'skips');
    perform postrider.remove_schedule('skips');
end
$$;

-- skip, of a message that waits because of its priority
do $$
declare
    v_worker uuid := promise.worker('waits');
    v_lease record;
    f record;
begin
    perform promise.define('waits', '{"overlap": "skip", "message": {"event_type": "tick", "channel": "waits", "priority": 5}}');
    f := promise.fire('waits');
    commit;
    assert f = row(1, 0, false), f;
    f := promise.fire('waits');
    commit;
    assert f = row(0, 1, false), 'behind the cursor of messages that wait';
    assert promise.drain(v_worker) = 1;
    commit;
    f := promise.fire('waits');
    commit;
    assert f = row(1, 0, false), 'delivered';
    perform postrider.remove_schedule('waits');
end
$$;

-- queue_one
do $$
declare
    v_worker uuid := promise.worker('queues');
    v_queued timestamptz;
    f record;
begin
    perform promise.define('queues', '{"overlap": "queue_one"}');
    f := promise.fire('queues');
    commit;
    assert f = row(1, 0, false), f;
    f := promise.fire('queues');
    commit;
    assert f = row(0, 0, true), 'the second waits';
    select queued_slot into v_queued from postrider.schedule where name = 'queues';
    assert (select next_at between clock_timestamp() and clock_timestamp() + interval '2 seconds' from postrider.schedule where name = 'queues'),
        'it is looked at again soon';
    f := promise.fire('queues');
    commit;
    assert f = row(0, 1, true), 'the third is skipped';
    assert (select queued_slot from postrider.schedule where name = 'queues') = v_queued;
    assert promise.drain(v_worker) = 1;
    commit;
    update postrider.schedule set next_at = clock_timestamp() where name = 'queues';
    assert (select fired from postrider.fire_due()) = 1, 'the second fires';
    commit;
    assert (select array_agg(occurred_at order by seq) from postrider.message where channel = 'queues') @> array[v_queued];
    assert (select queued_slot is null and last_slot = v_queued and last_message_id = postrider.slot_id('queues', v_queued)
            from postrider.schedule where name = 'queues');
    f := promise.fire('queues');
    commit;
    assert f = row(0, 0, true), 'the second is unfinished';
    perform postrider.pause_schedule('queues');
    assert (select queued_slot is null and s.skipped = 2 from postrider.schedule s where name = 'queues'), 'a pause drops it';
    perform postrider.remove_schedule('queues');
end
$$;

-- pause, run and backfill
do $$
declare
    v_id uuid;
    v_from timestamptz := date_trunc('hour', clock_timestamp()) - interval '3 hours';
    f record;
    b record;
begin
    perform promise.define('acts', '{"cron": "*/10 * * * *"}');
    perform postrider.pause_schedule('acts', true, 'ann', 'too many');
    update postrider.schedule set next_slot = v_from, next_at = v_from where name = 'acts';
    assert (select fired = 0 and again_at is null from postrider.fire_due()), 'a paused one fires';
    v_id := postrider.run_schedule('acts', 'ann', 'now');
    assert (select m.occurred_at > clock_timestamp() - interval '10 s' and m.source = 'schedule:acts' from postrider.message m where m.id = v_id);
    b := postrider.backfill_schedule('acts', v_from, v_from + interval '1 hour', 4, 'ann', 'missed');
    assert b = row(4, v_from + interval '40 minutes'), b;
    b := postrider.backfill_schedule('acts', b.next_from, v_from + interval '1 hour', 4, 'ann', 'missed');
    assert b = row(2, null::timestamptz), b;
    assert (select array_agg(id order by seq) from postrider.message where channel = 'acts' and id <> v_id)
         = array(select postrider.slot_id('acts', v_from + n * interval '10 minutes') from generate_series(0, 5) n);
    b := postrider.backfill_schedule('acts', clock_timestamp() + interval '1 hour', clock_timestamp() + interval '2 hours');
    assert b = row(0, null::timestamptz), 'the future is not backfilled';
    perform promise.raises('select postrider.backfill_schedule(''acts'', now(), now())', 'PR001');
    perform promise.raises('select postrider.backfill_schedule(''acts'', now() - interval ''1 h'', now(), 10001)', 'PR001');
    perform postrider.pause_schedule('acts', false, 'ann', 'go on');
    assert (select fired = 0 from postrider.fire_due()), 'slots of the pause fire';
    assert (select next_slot > clock_timestamp() and not paused from postrider.schedule where name = 'acts');
    assert (select array_agg(action order by id) from postrider.audit where filter ->> 'schedule' = 'acts' and actor = 'ann')
         = '{pause_schedule,run_schedule,backfill_schedule,backfill_schedule,resume_schedule}';
    perform postrider.remove_schedule('acts');
end
$$;

-- a schedule that cannot fire is paused, and the others fire
do $$
declare
    f record;
begin
    perform promise.define('bad'), promise.define('good');
    update postrider.schedule set message = '{"event_type": "", "channel": "bad"}' where name = 'bad';
    update postrider.schedule set next_slot = date_trunc('minute', clock_timestamp()), next_at = clock_timestamp() where name in ('bad', 'good');
    f := postrider.fire_due();
    assert f.fired = 1, f;
    assert (select paused and paused_reason ~ 'event_type is missing' from postrider.schedules where schedule = 'bad');
    assert (select not paused and s.fired = 1 from postrider.schedules s where schedule = 'good');
    assert (select count(*) = 1 from postrider.audit where action = 'pause_schedule' and filter = '{"schedule": "bad"}');
    perform postrider.remove_schedule('bad'), postrider.remove_schedule('good');
end
$$;

-- roles
drop role if exists promise_mine, promise_other, promise_reader, promise_boss, promise_team;
create role promise_mine login;
create role promise_other login;
create role promise_reader login;
create role promise_boss login;
create role promise_team;
grant postrider_worker, postrider_producer to promise_mine, promise_other;
grant postrider_worker to promise_reader;
grant postrider_operator to promise_boss;
grant execute on all functions in schema promise to public;
set session authorization promise_reader;
select promise.raises('select promise.define(''owned'')', 'PR010');
set session authorization promise_mine;
do $$ begin assert promise.define('owned') = 'created'; end $$;
select promise.raises('select * from postrider.schedule', '42501');
set session authorization promise_other;
select promise.raises('select promise.define(''owned'', ''{"overlap": "skip"}'')', 'PR010');
select promise.raises('select postrider.pause_schedule(''owned'')', 'PR010');
select promise.raises('select postrider.run_schedule(''owned'')', 'PR010');
select promise.raises('select postrider.backfill_schedule(''owned'', now() - interval ''1 h'', now())', 'PR010');
select promise.raises('select postrider.remove_schedule(''owned'')', 'PR010');
do $$ begin assert (select fired = 0 from postrider.fire_due()), 'any worker fires'; end $$;
set session authorization promise_boss;
do $$ begin
    perform postrider.pause_schedule('owned', true, 'boss', 'stop');
    assert (select owner = 'promise_mine' and paused from postrider.schedules where schedule = 'owned');
end $$;
set session authorization promise_other;
do $$ begin assert promise.define('owned') = 'unchanged', 'the same is no change'; end $$;
set session authorization promise_mine;
do $$ begin
    perform postrider.remove_schedule('owned');
    -- Declared by a worker: it belongs to the owner of the consumer.
    perform postrider.create_consumer('shared', p_owner => 'promise_mine');
    perform postrider.define_schedule('shared', '{"cron": "@daily", "message": {"event_type": "tick"}}', p_consumer => 'shared');
end $$;
reset session authorization;
select postrider.transfer_consumer('shared', 'promise_team', 'ann', 'shared');
grant promise_team to promise_mine, promise_other;
set session authorization promise_mine;
do $$ begin
    perform postrider.remove_schedule('shared');
    perform postrider.define_schedule('shared', '{"cron": "@daily", "message": {"event_type": "tick"}}', p_consumer => 'shared');
end $$;
set session authorization promise_other;
do $$ begin
    assert postrider.define_schedule('shared', '{"cron": "@hourly", "message": {"event_type": "tick"}}', p_consumer => 'shared') = 'changed';
    perform postrider.remove_schedule('shared');
end $$;
reset session authorization;
revoke all on all functions in schema promise from public;
drop role promise_mine, promise_other, promise_reader, promise_boss, promise_team;
