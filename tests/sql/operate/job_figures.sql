-- Promises about the figures of jobs:
--   unique keys are counted per consumer while they are held, and publications of a held key in all
--   open sets are counted with their members, those whose message is refused and the age of the oldest
--   the figures have the reports of progress, the age of the oldest run and the audited actions of the last hour
\ir ../include/promises.sql

create function promise.of_consumer(p_channel text) returns jsonb
    language sql
    as $$
    select c from jsonb_array_elements(postrider.job_figures() -> 'consumers') c where c ->> 'channel' = p_channel
    $$;

do $$
declare
    f jsonb;
begin
    f := postrider.job_figures();
    assert f @> '{"duplicates": 0, "cancelled": 0, "sets": {"open": 0, "refused": 0, "oldest_s": 0, "members": 0}, "consumers": []}', f;
end
$$;

-- unique keys: of two consumers, one of them with a period that is over
do $$
declare
    w uuid := promise.worker('one');
begin
    perform promise.worker('two');
    perform postrider.publish_unique('a', 'reader', 'k' || n, p_channel => 'one') from generate_series(1, 3) n;
    perform postrider.publish_unique('a', 'reader', 'k1', p_channel => 'one') from generate_series(1, 2);
    perform postrider.publish_unique('a', 'reader', 'p', 'period', p_period => '1 hour', p_channel => 'two');
    commit;
    assert promise.of_consumer('one') -> 'unique_keys' = '3' and promise.of_consumer('two') -> 'unique_keys' = '1';
    assert postrider.job_figures() -> 'duplicates' = '2';
    update postrider.unique_job set expires_at = clock_timestamp() where key = 'p';
    assert promise.of_consumer('two') -> 'unique_keys' = '0';
    assert (promise.of_consumer('one') ->> 'oldest_run_s')::numeric = 0, 'none runs';
    perform promise.drain(w);
    assert promise.of_consumer('one') -> 'unique_keys' = '0';
end
$$;

-- the oldest run: of a lease, and of a delivery
do $$
declare
    w uuid := promise.worker('runs');
begin
    perform postrider.publish('a', p_channel => 'runs');
    commit;
    perform from postrider.claim(w, 10);
    commit;
    assert (promise.of_consumer('runs') ->> 'oldest_run_s')::numeric between 0 and 60;
    update postrider.lease l set claimed_at = l.claimed_at - interval '1 hour'
    from postrider.consumer c where c.channel = 'runs' and l.consumer_id = c.id and l.finished_at is null;
    assert (promise.of_consumer('runs') ->> 'oldest_run_s')::numeric between 3600 and 3660;
end
$$;

-- sets
do $$
declare
    w uuid := promise.worker('sets');
    v_member constant jsonb := '{"event_type": "a", "channel": "sets", "target": "reader"}';
begin
    perform postrider.publish_set('import:1', jsonb_build_array(v_member, v_member), '{"event_type": "done", "channel": "sets"}');
    perform postrider.publish_set('import:2', jsonb_build_array(v_member), '{"event_type": "done", "channel": "sets"}');
    commit;
    update postrider.job_set set created_at = created_at - interval '1 hour', problem = 'refused' where name = 'import:1';
    assert postrider.job_figures() -> 'sets' @> '{"open": 2, "refused": 1, "members": 3}';
    assert (postrider.job_figures() #>> '{sets,oldest_s}')::numeric between 3600 and 3660;
    perform promise.drain(w);
    assert postrider.job_figures() -> 'sets' @> '{"open": 0, "refused": 0, "members": 0, "oldest_s": 0}', postrider.job_figures();
end
$$;

-- audited actions
do $$ begin
    perform postrider.pause_consumer('reader', p_paused => n % 2 = 1, p_actor => 'test', p_reason => 'test', p_channel => 'sets') from generate_series(1, 2) n;
    update postrider.audit set at = at - interval '2 hours' where action = 'resume_consumer';
    assert (select a -> 'count' from jsonb_array_elements(postrider.job_figures() -> 'actions') a where a ->> 'action' = 'pause_consumer') = '1';
    assert not exists (select from jsonb_array_elements(postrider.job_figures() -> 'actions') a where a ->> 'action' = 'resume_consumer'), 'older';
end $$;
