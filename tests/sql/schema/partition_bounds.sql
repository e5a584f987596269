-- Promises: the bounds of the log's partitions do not depend on the time zone and date style of the session; a
-- backlog that reaches into the day after tomorrow does not stop maintenance.
\ir ../include/promises.sql

create temp table bound as select * from postrider.partitions();
set timezone = 'Asia/Kolkata';
set datestyle = 'SQL, DMY';
do $$
begin
    assert not exists (select * from postrider.partitions() except select * from bound),
        'the bounds move with the session''s settings';
end
$$;
update postrider.setting set value = '10' where name = 'partitions_ahead';
do $$
begin
    assert (select count(*) from postrider.ensure_partitions()) = 3;
end
$$;
reset timezone;
reset datestyle;
do $$
begin
    assert (select bool_and(p.to_at - p.from_at = interval '1 day') from postrider.partitions() p
            where p.from_at <> '-infinity' and p.to_at <> 'infinity');
end
$$;

-- the clock was two days ahead for a while, and maintenance had never run
do $$
declare
    p record;
begin
    for p in select name from postrider.partitions() loop
        execute format('drop table postrider.%I', p.name);
    end loop;
    create table postrider.message_tail partition of postrider.message for values from (minvalue) to (maxvalue);
    alter table postrider.message_tail owner to postrider_owner;
    insert into postrider.message (event_type, published_at) values ('a', clock_timestamp() + interval '3 days');
    commit;
    perform postrider.maintain();
    commit;
    assert (select count(*) from postrider.message) = 1;
end
$$;
