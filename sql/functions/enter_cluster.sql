-- enter_cluster(): called once per connection, before its first publication.
-- Remembers in the setting postrider.cluster that this connection knows its cluster, and records the
-- first message published in a cluster the log has moved to: rebase needs to know where that began.
-- Touches: epoch.
-- postrider: after system_identifier
create or replace function postrider.enter_cluster() returns trigger
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not exists (select from postrider.epoch
                   where system_identifier = postrider.system_identifier()) then
        insert into postrider.epoch (system_identifier, first_seq)
        values (postrider.system_identifier(),
                nextval(pg_get_serial_sequence('postrider.message', 'seq')))
        on conflict do nothing;
    end if;
    perform set_config('postrider.cluster', 'known', false);
    return null;
end
$$;

create or replace trigger message_enter_cluster before insert on postrider.message
    for each statement
    when (current_setting('postrider.cluster', true) is distinct from 'known')
    execute function postrider.enter_cluster();
