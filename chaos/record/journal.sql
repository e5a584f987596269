-- The journal of the checker: every lease and every step of a delivery, recorded by triggers in the same transaction, with the
-- process. Installed into the database of a run, never anywhere else.
create schema chaos;

-- The rows that transactions with ordering keys change: the version of an account is the order in which they committed.
create table chaos.account (name text primary key, version bigint not null default 0) with (fillfactor = 50);

create table chaos.effect (consumer text not null, handler text not null, key text not null);

-- Everything that was ever published, also when retention has removed it since.
create table chaos.published (
    seq bigint not null,
    id uuid not null,
    at timestamptz not null,
    channel text not null,
    event_type text not null,
    available_at timestamptz,
    account text,
    version bigint
);

create table chaos.journal (
    number bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    process text not null default current_setting('application_name'),
    kind text not null,
    lease bigint,
    delivery bigint,
    consumer int,
    before jsonb,
    after jsonb
);

create function chaos.note_message() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
begin
    insert into chaos.published (seq, id, at, channel, event_type, available_at, account, version)
    select n.seq, n.id, n.published_at, n.channel, n.event_type, n.available_at, n.ordering_key, (n.payload ->> 'version')::bigint from news n;
    return null;
end
$$;
create trigger chaos_message after insert on postrider.message
    referencing new table as news for each statement execute function chaos.note_message();

create function chaos.note_lease() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
begin
    if tg_op = 'INSERT' then
        if new.members <> '{}' then
            insert into chaos.journal (kind, lease, consumer, after)
            values ('lease_claimed', new.id, abs(new.consumer_id), jsonb_build_object(
                'token', new.token, 'worker', new.worker_id, 'deadline', new.deadline, 'members', new.members));
        end if;
    elsif old.members <> new.members or old.reaped_at is distinct from new.reaped_at
          or old.finished_at is distinct from new.finished_at or old.token <> new.token then
        insert into chaos.journal (kind, lease, consumer, before, after)
        values ('lease_changed', new.id, abs(new.consumer_id),
                jsonb_build_object('reaped', old.reaped_at is not null),
                jsonb_build_object('reaped', new.reaped_at is not null, 'finished', new.finished_at is not null,
                                   'removed', array(select unnest(old.members) except select unnest(new.members))));
    end if;
    return null;
end
$$;
create trigger chaos_lease after insert or update on postrider.lease
    for each row execute function chaos.note_lease();

create function chaos.facts(d postrider.delivery) returns jsonb
    language sql stable set search_path = pg_catalog, pg_temp
    as $$
    select jsonb_build_object(
        'status', d.status, 'attempts', d.attempts, 'crashes', d.crashes, 'interruptions', d.interruptions,
        'suspect', d.suspect, 'cycle', d.cycle, 'max_attempts', d.max_attempts, 'max_crashes', d.max_crashes, 'worker', d.worker_id,
        'token', d.lease_token, 'outcome', d.outcome, 'error_class', d.error_class, 'key', d.idempotency_key,
        'payload', md5(d.payload::text), 'message', d.message_id, 'handler', d.handler, 'seq', d.seq,
        'history', jsonb_array_length(d.failure_history) + d.history_dropped,
        'available_at', floor(extract(epoch from d.available_at) * 1000000)::bigint,
        'deleted', d.deleted_at is not null)
    $$;

create function chaos.note_delivery() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
begin
    if tg_op = 'INSERT' then
        insert into chaos.journal (kind, delivery, consumer, after)
        values ('delivery', new.id, new.consumer_id, chaos.facts(new));
    elsif tg_op = 'DELETE' then
        insert into chaos.journal (kind, delivery, consumer, before)
        values ('delivery', old.id, old.consumer_id, chaos.facts(old));
    elsif chaos.facts(old) <> chaos.facts(new) then
        insert into chaos.journal (kind, delivery, consumer, before, after)
        values ('delivery', new.id, new.consumer_id, chaos.facts(old), chaos.facts(new));
    end if;
    return null;
end
$$;
create trigger chaos_delivery after insert or update or delete on postrider.delivery
    for each row execute function chaos.note_delivery();

create role chaos_worker login in role postrider_worker;
create role chaos_publisher login in role postrider_producer;
grant usage on schema chaos to chaos_worker;
grant insert on chaos.effect to chaos_worker;
grant usage on schema chaos to chaos_publisher;
grant select, update on chaos.account to chaos_publisher;
