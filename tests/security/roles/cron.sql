-- Promises about cron expressions and time zones, whatever a role writes into them:
--   an expression is read, or refused as PR001 or PR002; its next slots are found soon, are in order and lie behind the given instant
--   no time zone that is not a name of the IANA database is read
-- The expressions depend on the seed only. Another one: psql -v seed=0.7 -f cron.sql
\ir ../../sql/include/promises.sql
\if :{?seed}
\else
    \set seed 0.42
\endif
select setseed(:seed) \g /dev/null
drop role if exists test_viewer;
create role test_viewer login in role postrider_viewer;

-- one_of(texts): one of them, by chance.
create function promise.one_of(p_texts text[]) returns text
    language sql volatile
    as $$ select p_texts[1 + floor(random() * cardinality(p_texts))::int] $$;
-- field(): a field of a cron expression, often a good one.
create function promise.field(p_depth int default 0) returns text
    language sql volatile
    as $$
    select case when random() < 0.15 and p_depth < 20 then promise.field(p_depth + 1) || ',' || promise.field(p_depth + 1)
                when random() < 0.1 then promise.one_of('{60,99,5-1,x,-1,*/0,1/9999,*/*,"1,",""}')
                else promise.one_of('{*,*,*,*,0,1,2,5,7,15,23,29,30,31,feb,MON,fri-sat,1-5,0-59,*/2,1-31/7,0/5}') end
    $$;
create function promise.expression() returns text
    language sql volatile
    as $$
    select case when random() < 0.1
                then promise.one_of('{@every 1s,@every 999d,@every 99999h999999m99999999s,@every 1d1d,@every,@yearly,@DAILY,@every -1s,@every 1.5s}')
                when random() < 0.05 then repeat('1,', 200)
                else (select string_agg(promise.field(), case when random() < 0.02 then E'\u00a0' else ' ' end)
                      from generate_series(1, case when random() < 0.8 then 5 else 3 + floor(random() * 5)::int end)) end
    $$;
grant all on all functions in schema promise to public;

set session authorization test_viewer;
do $$
declare
    v_zones constant text[] := '{UTC,Europe/Berlin,America/Sao_Paulo,Australia/Lord_Howe,Asia/Kathmandu,Africa/Casablanca,America/St_Johns}';
    v_froms constant timestamptz[] := '{2026-03-28Z,2026-10-24Z,2096-02-01Z,1900-01-01Z,2026-12-31 23:59:59.999999Z,9000-01-01Z,4000-01-01 BC}';
    v_cron text;
    v_from timestamptz;
    v_slots timestamptz[];
    v_read int := 0;
    v_began timestamptz;
begin
    for i in 1..1500 loop
        v_cron := promise.expression();
        v_from := v_froms[1 + i % cardinality(v_froms)];
        v_began := clock_timestamp();
        begin
            v_slots := array(select postrider.next_slots(v_cron, v_zones[1 + i % cardinality(v_zones)], v_from, 3));
            v_read := v_read + 1;
            assert v_slots[1] > v_from and (v_slots[2] is null or v_slots[2] > v_slots[1]) and (v_slots[3] is null or v_slots[3] > v_slots[2])
                or v_slots = '{}', format('%s from %s: %s', v_cron, v_from, v_slots);
        exception
            when sqlstate 'PR001' or sqlstate 'PR002' then null;
        end;
        assert clock_timestamp() - v_began < interval '2 s', format('%s took %s', v_cron, clock_timestamp() - v_began);
    end loop;
    assert v_read > 50, v_read;
end
$$;
select promise.raises(format('select postrider.next_slots(%L, %L)', '@daily', z), 'PR001')
from unnest(array['', 'CET', 'Europe', 'Europe/Nowhere', '../../etc/passwd', 'Europe/../UTC', 'ABC+4DEF', '<+07>-7', 'Etc/GMT+99',
                  'posixrules', '/UTC', 'UTC/', repeat('A/', 100000), E'Europe/Berlin\n', 'localtime', '10:00', 'INTERVAL ''1'' HOUR']) z;
reset session authorization;
drop role test_viewer;
