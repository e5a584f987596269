-- enter_cluster(): called once per connection, before its first publication is complete. Sets postrider.cluster to 'known', so
-- that the check is not repeated, and records the first message published in a cluster the log has moved to; rebase() needs its
-- number. Refuses a number that the log has already. Rows that a dump restores, before primary keys exist, and rows that
-- logical replication writes are not checked.
-- Touches: epoch.
-- postrider: after is_home, require_new_numbers, system_identifier
create or replace function postrider.enter_cluster() returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_home boolean;
    v_seq bigint;
begin
    if to_regclass('postrider.epoch_pkey') is null or current_setting('session_replication_role') = 'replica' then
        return true;
    end if;
    v_home := postrider.is_home();
    -- Not needed for a log that was never moved.
    if not v_home or exists (select from postrider.epoch where first_seq > 0) then
        begin
            v_seq := currval('postrider.message_seq_seq');  -- the number of the message being published, or of an earlier one
        exception when object_not_in_prerequisite_state then
            v_seq := case when not v_home then nextval('postrider.message_seq_seq') end;
        end;
        perform postrider.require_new_numbers(v_seq, v_home);
    end if;
    if not v_home then
        -- Another connection may have cached lower numbers: the lowest is recorded.
        insert into postrider.epoch as e (system_identifier, first_seq)
        values (postrider.system_identifier(), v_seq)
        on conflict (system_identifier) do update
        set first_seq = case when e.rebased_at is null then least(e.first_seq, excluded.first_seq)
                             else excluded.first_seq end,
            started_at = clock_timestamp(), rebased_at = null
        where e.rebased_at is not null or e.first_seq > excluded.first_seq;
    end if;
    perform set_config('postrider.cluster', 'known', false);
    return true;
end
$$;
