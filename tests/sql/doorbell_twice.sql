-- Promise: a keeper that fell asleep twice is awake after waking once; producers need not ring for somebody awake.
\ir include/promises.sql

do $$
begin
    assert postrider.doorbell_sleep('bell') = 'asleep' and postrider.doorbell_sleep('bell') = 'asleep';
    perform postrider.doorbell_wake('bell');
    assert not exists (select from pg_locks where locktype = 'advisory' and classid = 1886351201 and pid = pg_backend_pid()
                       and mode = 'ExclusiveLock');
end
$$;
