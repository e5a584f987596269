-- Promises: every malformed argument is PR001 and every oversized one PR002, so that a caller can tell its own
-- mistakes from the database's troubles.
\ir include/promises.sql

select promise.raises($$select postrider.publish('a', p_source => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_target => '')$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_target => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_max_attempts => 0)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_max_attempts => 1001)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_max_attempts => 100000)$$, 'PR001');
select promise.raises($$select postrider.publish('a', p_headers => to_jsonb(repeat('x', 65537)))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_metadata => to_jsonb(repeat('x', 65537)))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_idempotency_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_ordering_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_partition_key => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_trace_context => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish('a', p_content_class => repeat('x', 256))$$, 'PR002');
select promise.raises($$select postrider.publish_many('[{}]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[{"event_type": ""}]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[1]')$$, 'PR001');
select promise.raises($$select postrider.publish_many('[null]')$$, 'PR001');
select promise.raises($$select postrider.set_wake(null, 'always')$$, 'PR001');

do $$
declare
    w uuid := promise.worker('arguments');
    l postrider.lease;
begin
    perform promise.publish('arguments', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform promise.raises(format('select postrider.extend(%L, %s, %L, null)', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.extend(%L, %s, %L, ''-1 hour'')', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.heartbeat(%L, ''{}'', ''-1 hour'')', w), 'PR001');
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, ''{}'')', w, l.id, l.token), 'PR001');
    perform promise.raises(format('select postrider.settle_due(%L, ''{}'')', w), 'PR001');
    perform promise.raises(format('select postrider.register_worker(%L, ''a'', ''[{"name": "a.x", "event_types": ["*"]}]'','
                                  ' p_alive_for => null)', w), 'PR001');
end
$$;
