-- Promise: a claim made in an old transaction loses no late message: messages of a transaction that began hours ago
-- are searched in the partitions of that time.
\ir ../include/promises.sql

do $$
begin
    perform set_config('promise.worker', promise.worker('old')::text, false);
    -- The consumer has been there for three hours.
    update postrider.lease l
    set done_at = done_at - interval '3 hours', open_at = open_at - interval '3 hours',
        claimed_at = claimed_at - interval '3 hours'
    from postrider.consumer c where c.id = l.consumer_id and c.channel = 'old';
end
$$;
\setenv PGDATABASE :DBNAME
\setenv INSERT_OLD 'insert into postrider.message (channel, event_type, payload, published_at) select \'old\', \'x\', jsonb_build_object(\'n\', 1), clock_timestamp() - interval \'2 hours\''
begin;
select pg_current_xact_id() \g /dev/null
-- Another transaction begins right after ours, and is still open when ours claims two hours later.
\! psql -Xq -v ON_ERROR_STOP=1 -c begin -c "$INSERT_OLD" -c "prepare transaction 'two_hours'"
select promise.numbers(current_setting('promise.worker')::uuid) \g /dev/null
insert into postrider.message (channel, event_type, payload) values ('old', 'x', '{"n": 2}');
commit;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    for i in 3..6 loop
        perform promise.drain(w);
        commit;
        perform postrider.publish('x', jsonb_build_object('n', i), p_channel => 'old');
        commit;
        update postrider.lease set claimed_at = claimed_at - interval '2 minutes' where worker_id is null;
        commit;
    end loop;
    perform promise.drain(w);
end
$$;
-- Without recheck_xid the message is not found by a search of the whole log.
update postrider.lease set recheck_xid = null;
commit prepared 'two_hours';
do $$
begin
    assert promise.numbers(current_setting('promise.worker')::uuid) = '{1}', 'a committed message is lost';
end
$$;
