-- Promises of exchange_native() about the rows that it writes:
--   they obey every constraint, trigger and rule, the transaction's mode and the rights of the schema's owner
--   settle() decides on failures, in the same transaction
\ir ../sql/include/promises.sql
\ir include/helped.sql

create function promise.helped() returns bigint
    language sql
    as $$
    select promise.helped('postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean)')
    $$;

-- claimer(channel): a worker that this session knows, and messages for it.
create procedure promise.claimer(p_channel text, inout w uuid)
    language plpgsql
    as $$
begin
    w := promise.worker(p_channel);
    perform promise.publish(p_channel, 20);
    commit;
    perform postrider.exchange_packed(w, 1);
    commit;
end
$$;

-- constraints: a check, a null, a unique index, an exclusion
do $$
declare
    w uuid;
    v_claim text;
    a postrider.handed_out;
begin
    call promise.claimer('constraints', w);
    v_claim := format('select postrider.exchange_native(%L, 1)', w);
    alter table postrider.lease add constraint none check (cardinality(members) <> 1 or finished_at is not null) not valid;
    commit;
    perform promise.raises(v_claim, '23514');
    alter table postrider.lease drop constraint none;
    alter table postrider.lease add more int;
    alter table postrider.lease add constraint more_not_null check (more is not null) not valid;
    commit;
    perform promise.raises(v_claim, '23514');
    alter table postrider.lease drop constraint more_not_null, drop more;
    create unique index one_each on postrider.lease (worker_id, cardinality(members)) where worker_id is not null and finished_at is null;
    commit;
    perform promise.raises(v_claim, '23505');
    drop index postrider.one_each;
    commit;
    perform promise.helped();
    a := postrider.exchange_native(w, 1);
    assert a.lease_id is not null and promise.helped() = 0;
end
$$;

-- a transaction that is read only
do $$
declare
    w uuid;
begin
    call promise.claimer('read only', w);
    set transaction read only;
    perform promise.raises(format('select postrider.exchange_native(%L, 1)', w), '25006');
end
$$;

-- triggers of every kind see the rows, and a trigger before may change one; a rule may add to it
create table promise.told (what text, who text, path text);
grant insert on promise.told to postrider_owner;
create function promise.tell() returns trigger
    language plpgsql
    as $$
begin
    insert into promise.told values (concat_ws(' ', tg_when, tg_op, tg_level), current_user, current_setting('search_path'));
    return case when tg_level = 'ROW' then new end;
end
$$;
create trigger tell_before before insert or update on postrider.lease for each row execute function promise.tell();
create trigger tell_after after insert or update on postrider.lease for each row execute function promise.tell();
create trigger tell_all after insert or update on postrider.lease for each statement execute function promise.tell();
do $$
declare
    w uuid;
    a postrider.handed_out;
    b postrider.handed_out;
begin
    call promise.claimer('told', w);
    a := postrider.exchange_native(w, 3);
    commit;
    delete from promise.told;
    perform promise.helped();
    set local role postrider_worker;
    b := postrider.exchange_native(w, 3, a.lease_id, a.lease_token);
    reset role;
    assert b.settled = 'settled' and promise.helped() = 0, b;
    assert (select array_agg(what) from promise.told) = array[
        'BEFORE INSERT ROW', 'AFTER INSERT ROW', 'AFTER INSERT STATEMENT',
        'BEFORE UPDATE ROW', 'AFTER UPDATE ROW', 'AFTER UPDATE STATEMENT'], (select array_agg(what) from promise.told);
    assert (select bool_and(who = 'postrider_owner' and path = 'pg_catalog, pg_temp') from promise.told);
end
$$;
drop trigger tell_before on postrider.lease;
drop trigger tell_after on postrider.lease;
drop trigger tell_all on postrider.lease;
-- a trigger that refuses a lease leaves none without its row
create function promise.refuse() returns trigger language plpgsql as 'begin return null; end';
create trigger refuse before insert on postrider.lease for each row execute function promise.refuse();
do $$
declare
    w uuid;
begin
    alter table postrider.lease disable trigger refuse;
    call promise.claimer('refused', w);
    alter table postrider.lease enable trigger refuse;
    commit;
    perform promise.raises(format('select postrider.exchange_native(%L, 1)', w), '55000');
end
$$;
drop trigger refuse on postrider.lease;
-- a trigger that takes the token away, where it may be null
create function promise.untoken() returns trigger language plpgsql as 'begin new.token := null; return new; end';
do $$
declare
    w uuid;
begin
    call promise.claimer('no token', w);
    alter table postrider.lease alter token drop not null;
    create trigger untoken before insert on postrider.lease for each row execute function promise.untoken();
    commit;
    perform promise.raises(format('select postrider.exchange_native(%L, 1)', w), '55000');
    drop trigger untoken on postrider.lease;
    alter table postrider.lease alter token set not null;
end
$$;

-- rights: the owner of the schema writes
do $$
declare
    w uuid;
begin
    call promise.claimer('rights', w);
    revoke insert on postrider.lease from postrider_owner;
    alter table postrider.lease owner to current_user;
    grant select on postrider.lease to postrider_owner;
    perform promise.raises(format('select postrider.exchange_native(%L, 1)', w), '42501');
    rollback;
end
$$;

-- a failure: settle() decides, once, in the transaction that claims; a low seq in the report changes nothing
do $$
declare
    w uuid;
    a postrider.handed_out;
    b postrider.handed_out;
    v_seqs bigint[];
begin
    call promise.claimer('failures', w);
    a := postrider.exchange_native(w, 5);
    commit;
    v_seqs := (select members from postrider.lease where id = a.lease_id);
    perform promise.helped(), promise.helped('postrider.settle(uuid, bigint, uuid, bigint[], jsonb)');
    b := postrider.exchange_native(w, 5, a.lease_id, a.lease_token, null, jsonb_build_array(
        jsonb_build_object('seq', v_seqs[2], 'handler', 'test.all', 'outcome', 'transient', 'error', 'no'),
        jsonb_build_object('seq', 1, 'handler', 'test.all', 'outcome', 'transient', 'error', 'low')));
    assert b.settled = 'settled' and b.lease_id > a.lease_id, b;
    assert promise.helped() = 0 and promise.helped('postrider.settle(uuid, bigint, uuid, bigint[], jsonb)') > 0;
    assert (select array_agg(last_error) from postrider.delivery where channel = 'failures') = '{no}';
end
$$;
