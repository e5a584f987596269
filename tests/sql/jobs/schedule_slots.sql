-- Promises of next_slots():
--   it has exactly the slots that a walk from minute to minute finds, for random expressions around both changes of the clocks in
--     Berlin, New York and on Lord Howe Island, where clocks are set by half an hour
--   a fixed time that is skipped fires once at the change, one that is shown twice fires the first time; */5 runs through
--   fields: lists, ranges, steps, names, Sunday as 0 and 7, a day of either kind when both are restricted, a second first
--   @every counts from 1970 in UTC, whatever the zone; @daily and the other names have the meaning of cron(8)
--   invalid expressions, time zones and counts are refused
\ir ../include/promises.sql
set timezone = 'UTC';

-- field(low, high, star): a random field of a cron expression, and the values that fit, made without parsing.
create function promise.field(p_low int, p_high int, p_star float8, out written text, out fits int[])
    language plpgsql
    as $$
declare
    a int := p_low + floor(random() * (p_high - p_low + 1));
    b int := a + floor(random() * (p_high - a + 1));
    n int := 1 + floor(random() * 7);
    k float8 := random();
begin
    if random() < p_star then
        written := '*'; fits := array(select generate_series(p_low, p_high));
    elsif k < 0.2 then
        written := '*/' || n; fits := array(select generate_series(p_low, p_high, n));
    elsif k < 0.4 then
        written := format('%s-%s', a, b); fits := array(select generate_series(a, b));
    elsif k < 0.6 then
        written := format('%s-%s/%s', a, b, n); fits := array(select generate_series(a, b, n));
    elsif k < 0.8 then
        written := format('%s,%s', b, a); fits := array[a, b];
    else
        written := a::text; fits := array[a];
    end if;
end
$$;

create type promise.expression as (
    text text, minutes int[], hours int[], days int[], weekdays int[], either boolean, through boolean);

create function promise.expression() returns promise.expression
    language plpgsql
    as $$
declare
    m record := promise.field(0, 59, 0.1);
    h record := promise.field(0, 5, 0.3);  -- the clocks are set in these hours
    d record := promise.field(1, 31, 0.6);
    w record := promise.field(0, 6, 0.7);
begin
    return row(format('%s %s %s * %s', m.written, h.written, d.written, w.written), m.fits,
               case when h.written ~ '^\*/' then array(select generate_series(0, 23, substr(h.written, 3)::int))
                    when h.written = '*' then array(select generate_series(0, 23)) else h.fits end,
               d.fits, w.fits, left(d.written, 1) <> '*' and left(w.written, 1) <> '*', left(h.written, 1) = '*')::promise.expression;
end
$$;

create function promise.shows(e promise.expression, p_local timestamp) returns boolean
    language sql immutable
    as $$
    select extract(minute from p_local) = any (e.minutes) and extract(hour from p_local) = any (e.hours)
       and case when e.either
                then extract(day from p_local) = any (e.days) or extract(dow from p_local) = any (e.weekdays)
                else extract(day from p_local) = any (e.days) and extract(dow from p_local) = any (e.weekdays) end
    $$;

-- walked(expression, zone, from, to): the slots, minute by minute.
create function promise.walked(e promise.expression, p_zone text, p_from timestamptz, p_to timestamptz) returns timestamptz[]
    language sql stable
    as $$
    with clock as (
        select t, timezone(p_zone, t) as local, lag(timezone(p_zone, t)) over (order by t) as before,
               row_number() over (partition by timezone(p_zone, t) order by t) as showing
        from generate_series(p_from - interval '6 hours', p_to, interval '1 minute') t)
    select coalesce(array_agg(t order by t), '{}') from clock
    where t >= p_from and t < p_to
      and (promise.shows(e, local) and (e.through or showing = 1)
           or not e.through and local > before + interval '1 minute'
              and exists (select from generate_series(before + interval '1 minute', local - interval '1 minute', interval '1 minute') g
                          where promise.shows(e, g)))
    $$;

do $$
declare
    v_seed float8 := 2 * random() - 1;
    e promise.expression;
    c record;
    v_walked timestamptz[];
    v_slots timestamptz[];
    v_any int := 0;
begin
    perform setseed(v_seed);
    for c in
        select z.zone, z.at::timestamptz - interval '20 hours' as low, z.at::timestamptz + interval '20 hours' as high
        from (values ('Europe/Berlin', '2026-03-29 01:00Z'), ('Europe/Berlin', '2026-10-25 01:00Z'),
                     ('America/New_York', '2026-03-08 07:00Z'), ('America/New_York', '2026-11-01 06:00Z'),
                     ('Australia/Lord_Howe', '2026-10-03 15:30Z'), ('Australia/Lord_Howe', '2026-04-04 15:00Z')) z(zone, at)
        cross join generate_series(1, 6)
    loop
        e := promise.expression();
        v_walked := promise.walked(e, c.zone, c.low, c.high);
        v_slots := array(select s from postrider.next_slots(e.text, c.zone, c.low - interval '1 second',
                                                        cardinality(v_walked) + 1) s where s < c.high);
        assert v_walked = v_slots, format('seed %s: %s in %s from %s: walked %s, got %s', v_seed, e.text, c.zone, c.low, v_walked, v_slots);
        v_any := v_any + cardinality(v_walked);
    end loop;
    assert v_any > 50, 'the walk found hardly anything';
end
$$;

-- slots(cron, zone, from, count): in local time of the zone, as text.
create function promise.slots(p_cron text, p_zone text, p_from timestamptz, p_count int) returns text
    language sql
    as $$
    select string_agg(to_char(timezone(p_zone, s), 'MM-DD HH24:MI:SS') || case when timezone(p_zone, s) - timezone('UTC', s)
        = timezone(p_zone, s + interval '1 day') - timezone('UTC', s + interval '1 day') then '' else ' first' end, ', ')
    from postrider.next_slots(p_cron, p_zone, p_from, p_count) s
    $$;

-- clocks are set
do $$
begin
    assert promise.slots('30 2 * * *', 'Europe/Berlin', '2026-03-28 12:00Z', 2) = '03-29 03:00:00, 03-30 02:30:00';
    assert promise.slots('0,30 2 * * *', 'Europe/Berlin', '2026-03-28 12:00Z', 2) = '03-29 03:00:00, 03-30 02:00:00';
    assert promise.slots('30 * * * *', 'Europe/Berlin', '2026-03-29 00:00Z', 2) = '03-29 01:30:00 first, 03-29 03:30:00';
    assert promise.slots('30 2 * * *', 'Europe/Berlin', '2026-10-24 12:00Z', 2) = '10-25 02:30:00 first, 10-26 02:30:00';
    assert promise.slots('30 2 * * *', 'Europe/Berlin', '2026-10-25 01:15Z', 1) = '10-26 02:30:00', 'asked while it is shown again';
    assert promise.slots('30 * * * *', 'Europe/Berlin', '2026-10-25 00:00Z', 3)
         = '10-25 02:30:00 first, 10-25 02:30:00, 10-25 03:30:00';
    assert (select count(*) from postrider.next_slots('*/5 * * * *', 'Europe/Berlin', '2026-10-24 22:00Z', 400) s
            where s <= '2026-10-25 23:00Z') = 300, 'a day of 25 hours has 300 slots';
    assert promise.slots('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03 12:00Z', 1) = '10-04 02:30:00', 'half an hour is skipped';
    assert promise.slots('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04 12:00Z', 2) = '04-05 01:45:00 first, 04-06 01:45:00';
    -- The second is walked, too.
    assert promise.slots('59,30 59 1 * * *', 'Europe/Berlin', '2026-03-29 00:00Z', 2) = '03-29 01:59:30 first, 03-29 01:59:59 first';
    assert promise.slots('*/20 30 2 * * *', 'Europe/Berlin', '2026-03-29 00:00Z', 2) = '03-29 03:00:00, 03-30 02:30:00';
end
$$;

-- fields
do $$
declare
    v_from timestamptz := '2026-01-01 00:00Z';  -- a Thursday
begin
    assert promise.slots('0 0 13 * FRI', 'UTC', v_from, 4)
         = '01-02 00:00:00, 01-09 00:00:00, 01-13 00:00:00, 01-16 00:00:00', 'either day';
    assert promise.slots('0 0 */13 * FRI', 'UTC', v_from, 2) = '02-27 00:00:00, 03-27 00:00:00', 'a day that begins with * is none';
    assert promise.slots('0 0 * * 7', 'UTC', v_from, 2) = '01-04 00:00:00, 01-11 00:00:00';
    assert promise.slots('0 0 * * 0', 'UTC', v_from, 2) = '01-04 00:00:00, 01-11 00:00:00';
    assert promise.slots('0 0 * * 5-7', 'UTC', v_from, 3) = '01-02 00:00:00, 01-03 00:00:00, 01-04 00:00:00';
    assert promise.slots('0 12 1 jan,JUL *', 'UTC', v_from, 3) = '01-01 12:00:00, 07-01 12:00:00, 01-01 12:00:00';
    assert promise.slots('50/4 23 31 1-3 *', 'UTC', v_from, 4)
         = '01-31 23:50:00, 01-31 23:54:00, 01-31 23:58:00, 03-31 23:50:00';
    assert promise.slots('0 0 29 2 *', 'UTC', v_from, 1) = '02-29 00:00:00';
    assert (select array_agg(s) from postrider.next_slots('0 0 29 2 *', 'UTC', '2096-03-01Z', 1) s) = '{2104-02-29 00:00+00}',
        'a century without one';
    assert (select array_agg(s) from postrider.next_slots('0 0 29 2 */7', 'UTC', '2080-01-01Z', 2) s)
         = '{2088-02-29 00:00+00,2128-02-29 00:00+00}', 'on a Sunday';
    assert promise.slots('  */15   *  * * * * ', 'UTC', v_from, 2) = '01-01 00:00:15, 01-01 00:00:30';
    assert promise.slots('* * * * *', 'UTC', v_from + interval '59.9 s', 1) = '01-01 00:01:00';
    assert promise.slots('* * * * *', 'UTC', v_from, 1) = '01-01 00:01:00', 'behind the instant';
    assert (select array_agg(s) from postrider.next_slots('@every 1h30m', 'Asia/Kolkata', v_from, 2) s)
         = '{2026-01-01 01:30+00,2026-01-01 03:00+00}';
    assert (select array_agg(s) from postrider.next_slots('@every 7s', 'UTC', '1970-01-01 00:00:13.5Z', 2) s)
         = '{1970-01-01 00:00:14+00,1970-01-01 00:00:21+00}';
    assert (select array_agg(promise.slots(k, 'UTC', v_from, 1)) from unnest('{@hourly,@daily,@midnight,@weekly,@monthly,@yearly}'::text[]) k)
         = '{01-01 01:00:00,01-02 00:00:00,01-02 00:00:00,01-04 00:00:00,02-01 00:00:00,01-01 00:00:00}';
    assert not exists (select from postrider.next_slots('0 0 31 4,6 *')), 'no such date';
end
$$;

-- refused
do $$
declare
    v_cron text;
begin
    foreach v_cron in array '{"",*,"* * * *","* * * * * * *","60 * * * *","* 24 * * *","* * 0 * *","* * 32 * *","* * * 13 *","* * * * 8",
        "5-1 * * * *","*/0 * * * *","*-5 * * * *","1,,2 * * * *","a * * * *","* * * * FRI-MON","* * * foo *","-1 * * * *","1.5 * * * *",
        "@every","@every 0s","@every 5","@every 1x","@every 367d","@every -5s","@reboot","L * * * *","? * * * *"}'::text[] loop
        perform promise.raises(format('select postrider.next_slots(%L)', v_cron), 'PR001');
    end loop;
    perform promise.raises('select postrider.next_slots(null)', 'PR001');
    perform promise.raises($q$select postrider.next_slots(repeat('1,', 200) || '1 * * * *')$q$, 'PR002');
    foreach v_cron in array '{"",CEST,CET-1CEST,Europe/Berlim,Foo/Bar5,+02:00,../etc/passwd}'::text[] loop
        perform promise.raises(format('select postrider.next_slots(''* * * * *'', %L)', v_cron), 'PR001');
    end loop;
    perform promise.raises('select postrider.next_slots(''* * * * *'', null)', 'PR001');
    perform promise.raises('select postrider.next_slots(''* * * * *'', p_count => 0)', 'PR001');
    perform promise.raises('select postrider.next_slots(''* * * * *'', p_count => 10001)', 'PR001');
    perform promise.raises('select postrider.next_slots(''* * * * *'', p_from => ''infinity'')', 'PR001');
    assert (select count(*) from postrider.next_slots('* * * * *', 'Etc/GMT+5')) = 10;
end
$$;
