-- enter_cluster(): called once per connection, before its first publication.
-- Remembers in the setting postrider.cluster that this connection knows its cluster, and records the
-- first message published in a cluster the log has moved to: rebase needs to know where that began.
-- Touches: epoch.
-- postrider: after system_identifier, is_home
create or replace function postrider.enter_cluster() returns trigger
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not postrider.is_home() then
        -- Another connection may hold lower numbers than the first that got here: the lowest counts.
        insert into postrider.epoch as e (system_identifier, first_seq)
        values (postrider.system_identifier(),
                nextval(pg_get_serial_sequence('postrider.message', 'seq')))
        on conflict (system_identifier) do update
        set first_seq = case when e.rebased_at is null then least(e.first_seq, excluded.first_seq)
                             else excluded.first_seq end,
            started_at = clock_timestamp(), rebased_at = null
        where e.rebased_at is not null or e.first_seq > excluded.first_seq;
    end if;
    perform set_config('postrider.cluster', 'known', false);
    return null;
end
$$;

create or replace trigger message_enter_cluster before insert on postrider.message
    for each statement
    when (current_setting('postrider.cluster', true) is distinct from 'known')
    execute function postrider.enter_cluster();
