-- outbox_notify(): announces a message by its id on its channel; installed by set_wake(…, 'always').
create or replace function postrider.outbox_notify() returns trigger
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform pg_notify(new.channel, new.id::text);
    return null;
end
$$;
