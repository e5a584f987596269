-- Promises about the lists that the command line, the HTTP API and the MCP server share:
--   pages show every row once, in the order of the list
--   a role sees the columns that it may read, and an operator's list for viewers has no more
--   a search that stops at its limit says where it continues
--   ids become text where a client asks for it, and nothing else of the row changes
\ir ../include/promises.sql
\ir ../include/dead.sql

do $$
declare
    w uuid := promise.worker('lists', '[{"name": "a.x", "event_types": ["*"]}]');
    v_after json;
    v_seen bigint[] := '{}';
    r record;
begin
    perform postrider.publish('a.b', '{"n": 1}', p_channel => 'lists') from generate_series(1, 5);
    commit;
    call promise.die(w, 'terminal', 'no 1');
    loop
        select a.shown, a.place into r from postrider.view_page('alerts', '{"channel": "lists"}', 1, v_after::jsonb) a;
        exit when not found;
        v_seen := v_seen || (r.shown ->> 'alert_id')::bigint;
        v_after := r.place;
    end loop;
    assert v_seen = array(select alert_id from postrider.alerts where channel = 'lists' order by alert_id desc), v_seen;
    v_seen := '{}';
    v_after := null;
    loop
        select d.shown, d.place into r from postrider.dead_rows('{}', 1, v_after::jsonb) d;
        exit when not found;
        v_seen := v_seen || (r.shown ->> 'delivery_id')::bigint;
        v_after := r.place;
    end loop;
    assert v_seen = array(select delivery_id from postrider.dead_letters order by dead_at desc, delivery_id), v_seen;

    select d.shown is null as stopped, d.place ->> 'delivery_id' as place, d.searched_to is not null as said
    into strict r from postrider.dead_rows('{"error": "none of them"}', 10, p_reach => 2) d;
    assert r.stopped and r.place = v_seen[2]::text and r.said, r;

    assert (select bool_and(d.shown::text = replace(n.shown::text, '"delivery_id":' || v_seen[1], format('"delivery_id":"%s"', v_seen[1])))
            from postrider.dead_rows(p_limit => 1, p_ids_as_text => true) d, postrider.dead_rows(p_limit => 1) n);
    assert (select not d.shown::jsonb ? 'last_error' from postrider.dead_rows(p_limit => 1, p_error_length => 0) d);
    assert (select d.shown ->> 'last_error' = 'n' from postrider.dead_rows(p_limit => 1, p_error_length => 1) d);
    assert postrider.error_excerpt(repeat('outer ', 100) || 'the cause', 200) ~ E'^(outer )+\\w*\\n…\\n(outer )+the cause$', 'beginning and end';
    assert length(postrider.error_excerpt(repeat('x', 1000), 500)) <= 500 and postrider.error_excerpt('short', 500) = 'short';
    perform promise.raises($q$select postrider.view_page('delivery')$q$, 'PR001');

    assert (select d.shown::jsonb ?& '{payload,last_error}' and d.payload_lines = jsonb_pretty('{"n": 1}')
            from postrider.dead_letter_shown(v_seen[1]::text) d);
    assert (select not d.shown::jsonb ?| '{last_error,payload}' and d.payload_lines is null
            from postrider.dead_letter_shown(v_seen[1]::text, p_hidden => '{payload}', p_viewer => true) d);
    assert (select not a.shown::jsonb ? 'before' from postrider.view_page('audits', p_viewer => true) a limit 1) is not false;
end
$$;

set role postrider_viewer;
do $$
begin
    assert (select bool_and(not a.shown::jsonb ? 'last_error') from postrider.view_page('alerts') a);
    assert (select bool_and(not h.shown::jsonb ? 'circuit_error') from postrider.view_page('handlers') h);
    assert (select consumers from postrider.stats) = (select count(*) from postrider.view_page('consumers'));
    perform promise.raises($q$select postrider.view_page('tokens')$q$, '42501');
    perform promise.raises($q$select postrider.dead_letter_shown('1')$q$, '42501');
    perform promise.raises($q$select postrider.dead_rows()$q$, '42501');
end
$$;
reset role;
