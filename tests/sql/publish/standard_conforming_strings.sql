-- Promise: the setting standard_conforming_strings of a session changes nothing: fingerprints, names, patterns of event
-- types, lists of error classes, the bounds of partitions, cron expressions, excerpts of errors and addresses of brokers are the same.
\ir ../include/promises.sql
set escape_string_warning = off;
set standard_conforming_strings = off;

do $$
begin
    assert postrider.fingerprint('timeout', 'mail to a@b.example of deadbeef01 at fe80:1:2:3 failed')
        = md5(E'timeout\nmail to # of # at # failed');
    assert postrider.fingerprint('x', 'classes, methods and messages') = md5(E'x\nclasses, methods and messages');
    assert postrider.fingerprint('x', E'one \t two') = md5(E'x\none two');
end
$$;

do $$
declare
    w uuid := promise.worker('slashes', '[{"name": "a.x", "event_types": ["a_b.*", "c.d"], "classes": {"terminal": ["http:4*"]}}]');
    back uuid := promise.worker('slashes', E'[{"name": "b.x", "event_types": ["e\\\\f.*"]}]', 'back');
begin
    perform promise.raises('select promise.worker(''slashes'', ''[{"name": "axb", "event_types": ["*"]}]'')', 'PR013');
    perform promise.raises('select promise.worker(''slashes'', ''[{"name": "a.x", "event_types": ["a*b"]}]'')', 'PR013');
    perform promise.raises(
        'select promise.worker(''slashes'', ''[{"name": "a.x", "event_types": ["*"], "classes": {"terminal": ["a*b"]}}]'')', 'PR001');
    perform promise.publish('slashes', 1, 'a_b.c'), promise.publish('slashes', 1, 'axb.c'), promise.publish('slashes', 1, E'e\\f.g');
    commit;
    assert (select array_agg(c.event_type) from postrider.claim(w) c) = '{a_b.c}';
    assert (select array_agg(c.event_type) from postrider.claim(back) c) = array[E'e\\f.g'];
end
$$;

do $$
begin
    assert (select count(*) from postrider.partitions() where from_at > '-infinity' and to_at < 'infinity') > 5;
    assert (select count(*) from postrider.ensure_partitions()) = 0;
end
$$;

do $$
begin
    assert postrider.parse_cron(E'*/5 \t 8-18  * * *') = postrider.parse_cron('*/5 8-18 * * *');
    assert postrider.error_excerpt(repeat('class ', 100), 100) like E'class%\n…\nclass %';
end
$$;

do $$
declare
    w uuid := promise.worker('brokers', '[{"name": "b.y", "event_types": ["*"],
                                           "broker": {"direction": "to", "address": "nats://me:secret@host:4222?x=1", "name": "s"}}]');
begin
    assert (select broker ->> 'address' = 'nats://host:4222' from postrider.handler where name = 'b.y');
end
$$;
