-- Settings of the server that endanger committed transactions or stop Postrider.
select * from (values
    ('fsync', 'off', 'problem', 'a crash of the machine can destroy the whole database',
     'alter system set fsync = on; select pg_reload_conf();'),
    ('full_page_writes', 'off', 'problem', 'a crash of the machine can leave torn pages behind',
     'alter system set full_page_writes = on; select pg_reload_conf();'),
    ('synchronous_commit', 'off', 'warning',
     'a crash can lose transactions whose commit was reported to the producer',
     'alter system set synchronous_commit = on; select pg_reload_conf();'),
    ('autovacuum', 'off', 'problem', 'dead rows are never removed: every table grows and slows down',
     'alter system set autovacuum = on; select pg_reload_conf();'),
    ('track_counts', 'off', 'problem', 'autovacuum has no statistics and never runs',
     'alter system set track_counts = on; select pg_reload_conf();'),
    ('default_transaction_read_only', 'on', 'problem', 'no message can be published or handled',
     'connect to the new server if the database was moved; otherwise: alter database … reset default_transaction_read_only')
) s(name, bad, level, why, todo)
cross join lateral (select format('%s is %s', s.name, s.bad) as what) w
where current_setting(s.name) = s.bad
union all
select 'default_transaction_isolation', null, 'warning', 'claims require READ COMMITTED and fail at any other level',
       'alter system set default_transaction_isolation = ''read committed''; select pg_reload_conf();',
       'default_transaction_isolation is ' || current_setting('default_transaction_isolation')
where current_setting('default_transaction_isolation') not in ('read committed', 'read uncommitted')
union all
select 'recovery', null, 'problem', 'messages can only be published and claimed on the primary',
       'connect to the primary: add target_session_attrs=read-write to the URL', 'this server is a standby'
where pg_is_in_recovery()
