-- Promises about the views and functions for monitoring, pace and channels:
--   pace counts the messages handed to a consumer and published for it
--   no count goes beyond its bound
--   channels names every channel that has messages or consumers
\ir ../include/promises.sql

do $$
declare
    w uuid := promise.worker('pace', '[{"name": "a.x", "event_types": ["wanted.*"]}]');
    p record;
begin
    select * into strict p from postrider.pace() where channel = 'pace';
    assert (p.taken, p.published) = (0, 0), p;
    perform promise.publish('pace', 10, 'wanted.one');
    perform promise.publish('pace', 5, 'other.one');
    perform postrider.publish('any', '{}', p_channel => 'pace', p_target => 'reader');
    perform postrider.publish('wanted.one', '{}', p_channel => 'pace', p_target => 'other');
    commit;
    select * into strict p from postrider.pace() where channel = 'pace';
    assert (p.consumer, p.taken, p.published, p.seconds) = ('reader', 0, 17, 5), p;
    assert (select published from postrider.pace(p_max => 4) where channel = 'pace') = 4;
    assert cardinality(promise.numbers(w, 6)) = 6;
    commit;
    select * into strict p from postrider.pace('1 minute') where channel = 'pace';
    assert (p.taken, p.published) = (6, 17), p;
    assert (select taken from postrider.pace('1 minute', 4) where channel = 'pace') = 4;
    perform promise.drain(w);
    commit;
    assert (select taken = 11 from postrider.pace('1 minute') where channel = 'pace');
    -- messages taken before the window are not counted
    update postrider.lease set claimed_at = claimed_at - interval '1 hour';
    update postrider.message set published_at = published_at - interval '10 minutes' where channel = 'pace';
    assert (select (taken, published) = (0, 0) from postrider.pace('1 minute') where channel = 'pace');
    perform promise.raises($q$select postrider.pace('0')$q$, 'PR001');
    perform promise.raises($q$select postrider.pace(p_max => 0)$q$, 'PR001');
end
$$;

-- every channel, and whether it has consumers
do $$
begin
    perform postrider.publish('x', '{}', p_channel => 'outbox_gen_7');
    perform postrider.publish('x', '{}', p_channel => 'outbox_gen_x');
    perform postrider.create_consumer('later', 'zz');
    assert (select array_agg(concat_ws(' ', channel, generation, has_messages, consumers, workers) order by channel)
            from postrider.channels)
         = array['outbox_default f 0 0', 'outbox_gen_7 7 t 0 0', 'outbox_gen_x t 0 0', 'pace t 1 1', 'zz f 1 0'];
end
$$;
