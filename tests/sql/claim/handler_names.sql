-- Promises about invalid handler names:
--   a failure reported for a handler the consumer does not have is refused (PR011), and the lease stays as it is
--   a worker that names the same handler twice is refused (PR001): one of the two would silently replace the other
\ir ../include/promises.sql

do $$
declare
    w uuid := promise.worker('names');
    l postrider.lease;
begin
    perform promise.publish('names', 1);
    commit;
    perform postrider.claim(w);
    l := promise.newest_lease(w);
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', 'no.such', 'outcome', 'transient'))), 'PR011');
    perform promise.raises(format('select postrider.settle(%L, %s, %L, null, %L)', w, l.id, l.token, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'handler', '', 'outcome', 'transient'))), 'PR011');
    assert l::text = promise.newest_lease(w)::text;
    assert not exists (select from postrider.delivery where channel = 'names');
end
$$;

select promise.raises($$select promise.worker('twice', '[{"name": "a.x", "event_types": ["a"]},
                                                         {"name": "a.x", "event_types": ["b"]}]')$$, 'PR001');
