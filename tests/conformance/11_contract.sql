-- The envelope: its fields, and how it may change.
\ir include/check.sql

-- check: the_envelope_has_its_shape
do $$
begin
    -- The columns of a claim, by name and type. Columns may be added, never removed or changed.
    assert (select array_agg(c || ' ' || t order by o) from (
                select unnest(p.proargnames) as c, format_type(unnest(p.proallargtypes), null) as t, generate_subscripts(p.proargnames, 1) as o,
                       unnest(p.proargmodes) as m
                from pg_proc p where p.proname = 'claim' and p.pronamespace = 'postrider'::regnamespace) x where m = 't')
        @> array['id uuid', 'event_type text', 'event_version integer', 'occurred_at timestamp with time zone', 'source text', 'target text',
                 'workspace_id uuid', 'idempotency_key text', 'trace_context text'];
end
$$;

-- check: a_payload_is_any_object_and_unknown_fields_do_no_harm
do $$
declare
    w uuid := promise.worker('open');
begin
    perform postrider.publish('scan.completed', '{"known": 1, "added later": {"x": [true]}}', p_channel => 'open', p_event_version => 2);
    commit;
    assert (select (payload ->> 'known', event_version) = ('1', 2) from postrider.claim(w));
end
$$;

-- check: a_breaking_change_is_a_new_event_type
do $$
declare
    old uuid := promise.worker('versions', '[{"name": "old.reader", "event_types": ["scan.completed"]}]', 'old');
    new uuid := promise.worker('versions', '[{"name": "new.reader", "event_types": ["scan.completed.v2"]}]', 'new');
begin
    perform postrider.publish('scan.completed', '{"n": 1}', p_channel => 'versions');
    perform postrider.publish('scan.completed.v2', '{"n": 2}', p_channel => 'versions');
    commit;
    assert promise.numbers(old) = '{1}' and promise.numbers(new) = '{2}';
end
$$;

-- check: the_envelope_is_never_rewritten
do $$
begin
    assert not exists (select from pg_roles r, pg_attribute a
                       where r.rolname in ('postrider_producer', 'postrider_worker', 'postrider_operator', 'postrider_viewer')
                         and a.attrelid = 'postrider.message'::regclass and a.attnum > 0
                         and has_column_privilege(r.oid, a.attrelid, a.attnum, 'update'));
    -- rebase() changes the position of a message in the log, erase_content() erases personal data of a message
    assert (select array_agg(proname::text order by proname) from pg_proc where pronamespace = 'postrider'::regnamespace
            and prosrc ~* 'update\s+postrider\.message\M') = '{erase_content,rebase}';
end
$$;
