-- Promises about fingerprints: values that differ between failures of one cause do not count, the rest does.
\ir ../include/promises.sql

-- the same failure
do $$
declare
    p record;
begin
    for p in select * from (values
        ('numbers', 'timeout after 30 s', 'timeout after 5 s'),
        ('decimals, thousands', 'took 1,234.5 ms', 'took 7 ms'),
        ('uuids', 'no user 6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'no user 00000000-0000-0000-0000-000000000000'),
        ('uuids in capitals', 'no user 6F9619FF-8B86-D011-B42D-00CF4FC964FF', 'no user 00000000-0000-0000-0000-000000000000'),
        ('hexadecimal ids', 'object deadbeef01 is gone', 'object 0123456789abcdef is gone'),
        ('pointers', 'fault at 0x7fff5fbff8c0', 'fault at 0x0'),
        ('single quotes', 'column ''a'' does not exist', 'column ''some other'' does not exist'),
        ('double quotes', 'key "a" is missing', 'key "b c" is missing'),
        ('backticks', 'no table `a`', 'no table `b`'),
        ('addresses', 'connect to 10.0.0.7:5432 failed', 'connect to 192.168.178.201:80 failed'),
        ('IPv6 addresses', 'connect to [fe80:1:2:3] failed', 'connect to [2001:db8:0:0:0:0:0:1] failed'),
        ('mail addresses', 'no mailbox a@b.de', 'no mailbox some.one+x@mail.example.com'),
        ('dates and times', 'not before 2026-01-02 03:04:05.678', 'not before 2027-12-31 23:59:59.001'),
        ('numbers in words', 'worker12 said no', 'worker7 said no'),
        ('white space', E'line one\n\tline two ', ' line one line two')) v(what, a, b)
    loop
        assert postrider.fingerprint('x', p.a) = postrider.fingerprint('x', p.b), p.what;
    end loop;
end
$$;

-- another failure
do $$
begin
    assert (select count(distinct postrider.fingerprint(c, e)) = count(*)
            from (values ('timeout', 'no answer'), ('refused', 'no answer'), ('timeout', 'no answers'), ('timeout', null),
                         (null, 'no answer'), (null, 'can''t be and won''t be'), (null, 'can''t be and won''t do')) v(c, e));
    assert postrider.fingerprint(null, null) = postrider.fingerprint('', '');
end
$$;

-- vectors: it is the same everywhere
do $$
declare
    p record;
begin
    for p in select * from (values
        (null, null, '68b329da9893e34099c7d8ad5cb9c940'),
        ('timeout', 'no answer after 30 s', md5(E'timeout\nno answer after # s')),
        ('sqlstate:23505', 'Key (id)=(42) already exists in "orders".', md5(E'sqlstate:23505\nKey (id)=(#) already exists in #.')),
        ('x', 'Grüße aus Köln', md5(E'x\nGrüße aus Köln'))) v(class, error, expected)
    loop
        assert postrider.fingerprint(p.class, p.error) = p.expected, p;
    end loop;
    assert postrider.fingerprint('x', repeat('a b ', 250)) = postrider.fingerprint('x', repeat('a b ', 250) || 'more'),
        'only the beginning counts';
end
$$;
