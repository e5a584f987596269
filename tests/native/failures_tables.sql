-- Promises of exchange_native() about the tables that it writes:
--   all rows are in all indexes, those that were made or dropped a moment ago included
--   AFTER triggers run; with a BEFORE trigger or another constraint, SQL writes the rows
--   a function that has changed is called again
\ir include/failures.sql
create extension amcheck;

-- Indexes: all rows are in all of them, also in new and unexpected ones.
create function promise.check_indexes() returns int
    language plpgsql
    as $$
declare
    v_index regclass;
    v_rows text;
    v_in_index bigint;
    v_in_table bigint;
    v_count int := 0;
begin
    for v_index in
        select i.indexrelid from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where i.indrelid in ('postrider.delivery'::regclass, 'postrider.lease'::regclass) and a.amname = 'btree'
    loop
        perform bt_index_check(v_index, true);
        -- It does not look for rows that should not be there.
        select format('select count(*) from %s where %s', i.indrelid::regclass, pg_get_expr(i.indpred, i.indrelid)) into v_rows
        from pg_index i where i.indexrelid = v_index and i.indpred is not null;
        if found then
            set local enable_seqscan = off;
            set local enable_bitmapscan = off;
            execute v_rows into v_in_index;
            set local enable_seqscan = on;
            set local enable_indexscan = off;
            set local enable_indexonlyscan = off;
            execute v_rows into v_in_table;
            reset enable_indexscan;
            reset enable_indexonlyscan;
            assert v_in_index = v_in_table, format('%s: %s and %s', v_index, v_in_index, v_in_table);
        end if;
        v_count := v_count + 1;
    end loop;
    return v_count;
end
$$;
do $$
declare
    w uuid := promise.worker('indexes');
    v_before int;
begin
    perform promise.publish('indexes', 90);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    v_before := promise.check_indexes();
    assert v_before >= 12;
    commit;
    create index more_idx on postrider.delivery (lower(event_type), seq) include (handler) where last_error like 'n%';
    create index lease_more_idx on postrider.lease ((id % 7)) where worker_id is not null;
    assert promise.fail_one(w) = 0, 'in the transaction that made it';
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    assert promise.check_indexes() = v_before + 2;
    set local enable_seqscan = off;
    assert 3 <= (select count(*) from postrider.delivery where lower(event_type) = 'test.happened' and last_error like 'n%'
                 and consumer_id = (select consumer_id from postrider.worker where id = w));
    commit;
    drop index postrider.more_idx, postrider.lease_more_idx;
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    assert promise.check_indexes() = v_before;
end
$$;

-- Other kinds of indexes keep something between rows, which is gone in the next transaction.
do $$
declare
    w uuid := promise.worker('kinds');
begin
    perform promise.publish('kinds', 90);
    create index kind_brin on postrider.delivery using brin (seq) with (pages_per_range = 1);
    create index kind_gin on postrider.delivery using gin (retry) with (fastupdate = off);
    create index kind_hash on postrider.delivery using hash (channel);
    create index kind_lease on postrider.lease using brin (id) with (pages_per_range = 1);
    commit;
    for i in 1 .. 5 loop
        assert promise.fail_one(w) = 0;
        commit;
        perform brin_summarize_new_values('postrider.kind_brin'), brin_summarize_new_values('postrider.kind_lease');
        commit;
    end loop;
    set local enable_seqscan = off;
    set local enable_indexscan = off;
    assert 5 = (select count(*) from postrider.delivery where seq between 1 and 1000000 and channel = 'kinds');
    assert 5 <= (select count(*) from postrider.delivery where retry @> '{}');
    rollback;
    drop index postrider.kind_brin, postrider.kind_gin, postrider.kind_hash, postrider.kind_lease;
    commit;
end
$$;

-- One that is being built gets no entries before it is ready, and a rule that is an index is kept.
do $$
declare
    w uuid := promise.worker('rules');
begin
    perform promise.publish('rules', 90);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    create index later_idx on postrider.delivery (seq) where channel = 'rules';
    update pg_index set indisready = false where indexrelid = 'postrider.later_idx'::regclass;
    alter table postrider.delivery set (fillfactor = 80);  -- invalidates the cached metadata
    commit;
    assert promise.fail_one(w) = 0;
    update pg_index set indisready = true where indexrelid = 'postrider.later_idx'::regclass;
    alter table postrider.delivery set (fillfactor = 80);
    commit;
    perform promise.raises($q$select bt_index_check('postrider.later_idx', true)$q$, 'XX001');  -- it lacks the row
    drop index postrider.later_idx;
    alter table postrider.delivery add constraint one_each exclude using btree (message_id with =) where (channel = 'rules');
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    update postrider.delivery set message_id = (select m.id from postrider.message m where m.channel = 'rules' order by m.seq offset 10 limit 1)
    where id = (select max(id) from postrider.delivery where channel = 'rules');
    commit;
    perform promise.raises(format('select promise.fail_one(%L)', w), '23P01');
    alter table postrider.delivery drop constraint one_each;
    commit;
end
$$;

-- An error while it looks at the indexes leaves none of them out the next time.
create function promise.in_a_good_mood() returns boolean
    language plpgsql immutable
    as $$
begin
    if current_setting('promise.mood', true) = 'bad' then
        raise exception 'not now';
    end if;
    return true;
end
$$;
do $$
declare
    w uuid := promise.worker('moods');
begin
    perform promise.publish('moods', 90);
    commit;
    assert promise.fail_one(w) = 0;
    create index mood_idx on postrider.delivery (seq) where promise.in_a_good_mood();
    alter index postrider.mood_idx set (fillfactor = 90);
    commit;
    perform set_config('promise.mood', 'bad', false);
    perform promise.raises(format('select promise.fail_one(%L)', w), 'P0001');
    perform set_config('promise.mood', '', false);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    perform bt_index_check('postrider.mood_idx', true);
    drop index postrider.mood_idx;
    commit;
end
$$;

-- a table with a BEFORE trigger or another constraint is left to SQL
create function promise.decide() returns trigger language plpgsql as 'begin return new; end';
do $$
declare
    w uuid := promise.worker('decided');
begin
    perform promise.publish('decided', 90);
    commit;
    assert promise.fail_one(w) = 0;
    commit;
    create trigger decide before insert on postrider.delivery for each row execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger before';
    drop trigger decide on postrider.delivery;
    create trigger decide after insert on postrider.delivery for each statement execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger of statements';
    drop trigger decide on postrider.delivery;
    create trigger decide after insert on postrider.delivery referencing new table as news for each row
        execute function promise.decide();
    assert promise.fail_one(w) = 1, 'a trigger with a table';
    drop trigger decide on postrider.delivery;
    create trigger decide before update on postrider.delivery for each row execute function promise.decide();
    assert promise.fail_one(w) = 0, 'nothing is inserted by an update';
    alter table postrider.delivery add constraint more check (seq > 0);
    assert promise.fail_one(w) = 1, 'a check';
    alter table postrider.delivery drop constraint more;
    assert promise.fail_one(w) = 0;
    alter table postrider.delivery add column more int default 1;
    assert promise.fail_one(w) = 1, 'a column';
    rollback;
end
$$;

-- who watches rows is told of each, as the one who writes them in SQL and with the path that he has there
create table promise.told (who text, what text, path text);
grant insert on promise.told to postrider_owner;
create function promise.watch() returns trigger
    language plpgsql
    as $$
begin
    insert into promise.told
    select current_user, concat_ws(' ', tg_op, tg_table_name, n -> 'seq', o -> 'finished_at' = 'null', jsonb_array_length(n -> 'members')),
           current_setting('search_path')
    from (select to_jsonb(new) as n, case when tg_op = 'UPDATE' then to_jsonb(old) end as o) r;
    return null;
end
$$;
create trigger watch after insert or update on postrider.lease for each row execute function promise.watch();
create trigger watch after insert or update on postrider.delivery for each row execute function promise.watch();
do $$
declare
    w uuid := promise.worker('told');
    l postrider.lease;
    v_failures jsonb;
begin
    perform promise.publish('told', 30);
    commit;
    perform promise.claim(w, 1, true);
    commit;
    l := promise.claim(w, 3, true);
    delete from promise.told;
    v_failures := promise.of(l, '[{"n": 1, "handler": "test.all", "outcome": "failed"}, {"n": 2, "handler": "test.all", "outcome": "failed"}]');
    perform promise.helped();
    set local role postrider_worker;
    perform postrider.exchange_native(w, 5, l.id, l.token, null, v_failures);
    reset role;
    assert promise.helped() = 0;
    assert (select array_agg(what) from promise.told) = array[
        'INSERT lease 5', 'UPDATE lease t 0', 'INSERT delivery ' || l.members[1], 'INSERT delivery ' || l.members[2]],
        (select array_agg(t) from promise.told t);
    assert (select bool_and(who = 'postrider_owner' and path = 'pg_catalog, pg_temp') from promise.told), (select array_agg(t) from promise.told t);
    assert current_setting('search_path') <> 'pg_catalog, pg_temp';
end
$$;
drop trigger watch on postrider.lease;
drop trigger watch on postrider.delivery;

-- a function that was changed is called again; without it settle() decides
do $$
declare
    w uuid := promise.worker('function');
    l postrider.lease;
    v_most jsonb := (select jsonb_agg(jsonb_build_object('n', n, 'handler', 'test.all', 'outcome', 'failed'))
                     from generate_series(1, 200) n);
begin
    perform promise.publish('function', 500);
    commit;
    for i in 1 .. 2 loop
        l := promise.claim(w, 201, true);
        commit;
        assert 0 = promise.report(l, v_most);
        assert (select bool_and((d.available_at - d.first_failed_at = interval '3 days') = (i = 2)) from postrider.delivery d
                where d.seq = any (l.members)), i;
        commit;
        execute replace(pg_get_functiondef('postrider.first_retry'::regproc), 'then d.available_at end',
                        'then p_now + interval ''3 days'' end');
        commit;
    end loop;
    drop function postrider.first_retry;
    assert promise.fail_one(w) = 1;
end
$$;
