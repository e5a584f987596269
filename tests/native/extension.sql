-- Promises of the extension postrider_native, on servers that can have extensions of their own:
--   its functions are members of it, and can be created without the schema: a dump restores it before the tables
--   a newer version is a script that `alter extension` runs, while workers go on
--   without it, and again with it, claims are made
\ir ../sql/include/promises.sql

do $$
begin
    assert (select array_agg(p.proname::text order by p.proname) from pg_depend d join pg_proc p on p.oid = d.objid
            join pg_extension x on x.oid = d.refobjid
            where d.classid = 'pg_proc'::regclass and d.deptype = 'e' and x.extname = 'postrider_native')
        = '{exchange_native,look_ahead_native,native_trouble,read_direct_native}';
end
$$;

-- a newer version
select promise.worker('versions') as worker \gset
select promise.publish('versions', 10);
select count(*) from postrider.exchange_native(:'worker', 1);
do $$
declare
    v_script text := split_part(current_setting('extension_control_path'), ':', 1) || '/extension/postrider_native--1--2.sql';
begin
    execute format('copy (select %L) to %L', 'comment on function postrider.native_trouble() is ''two'';', v_script);
    alter extension postrider_native update to '2';
    execute format('copy (select 1) to program %L', format('rm ''%s''', v_script));
    assert (select extversion from pg_extension where extname = 'postrider_native') = '2';
    assert obj_description('postrider.native_trouble()'::regprocedure) = 'two';
end
$$;
select count(*) from postrider.exchange_native(:'worker', 1);

-- without it, and where the functions were made alone
drop extension postrider_native;
select promise.raises(format('select postrider.exchange_native(%L, 1)', :'worker'), '42883');
do $$
begin
    assert not (select made from postrider.native_status());
end
$$;
create function postrider.native_trouble() returns text language c as 'postrider_native', 'native_trouble';
create extension postrider_native;
select count(*) from postrider.exchange_native(:'worker', 1);

-- restored before the tables
select current_database() || '_restored' as restored, current_database() as original \gset
create database :"restored" template template0;
\c :"restored"
create schema postrider;
create extension postrider_native with schema postrider;
do $$
begin
    assert postrider.native_trouble() = 'there is no table postrider.worker', postrider.native_trouble();
end
$$;
\c :"original"
drop database :"restored";
